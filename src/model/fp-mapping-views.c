// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>

#include "fp-mapping-views.h"

/* clang-format off */
const FpMappingView fp_mapping_views[FP_N_MAPPING_VIEWS] = {
  [FP_MAPPING_VIEW_USUAL] = {
    "usual", N_ ("Usual"), N_ ("Every mapping, by address"), "start", FALSE, NULL,
    { "range", "permissions", "size", "pss", "uss", "rss", "swap", "dirty_whole", "mapping", NULL },
  },
  [FP_MAPPING_VIEW_PRIVATE] = {
    "private", N_ ("Private"), N_ ("Only this process’s own pages, the ones it wrote to first"), "private_dirty", TRUE, "uss>0",
    { "size", "private_clean", "private_dirty", "permissions", "mapping", NULL },
  },
  [FP_MAPPING_VIEW_SHARED] = {
    "shared", N_ ("Shared"), N_ ("Pages it shares with others, largest first"), "rss", TRUE, "shared>0",
    { "size", "rss", "shared_clean", "shared_dirty", "permissions", "mapping", NULL },
  },
  [FP_MAPPING_VIEW_PMAP] = {
    "pmap-x", N_ ("As pmap -x"), N_ ("The columns of pmap -x"), "start", FALSE, NULL,
    { "start", "size", "rss", "dirty_whole", "permissions", "mapping", NULL },
  },
  [FP_MAPPING_VIEW_PMAP_MORE] = {
    "pmap-X", N_ ("As pmap -X"), N_ ("The columns of pmap -X"), "start", FALSE, NULL,
    { "start", "permissions", "offset", "device", "inode", "size", "rss", "pss", "pss_dirty", "referenced", "anonymous_whole",
      "ksm", "lazyfree", "shmem_huge", "file_huge", "shared_hugetlb", "private_hugetlb", "swap_whole", "swap", "locked",
      "thp_eligible", "protection_key", "mapping", NULL },
  },
  [FP_MAPPING_VIEW_ALL] = {
    "pmap-XX", N_ ("Everything"), N_ ("Everything that the kernel says, as pmap -XX"), "start", FALSE, NULL,
    { "start", "permissions", "offset", "device", "inode", "size", "kernel_page_size", "mmu_page_size", "rss", "pss",
      "pss_dirty", "shared_clean", "shared_dirty", "private_clean", "private_dirty", "referenced", "anonymous_whole", "ksm",
      "lazyfree", "anon_huge", "shmem_huge", "file_huge", "shared_hugetlb", "private_hugetlb", "swap_whole", "swap",
      "locked", "thp_eligible", "protection_key", "flags", "mapping", NULL },
  },
};
/* clang-format on */
