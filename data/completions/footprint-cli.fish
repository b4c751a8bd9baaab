# SPDX-License-Identifier: GPL-3.0-or-later
# fish completion for footprint-cli

function __footprint_cli_has_mappings
    contains -- -m (commandline -opc); or contains -- --mappings (commandline -opc)
end

# Prints the columns of the list that is asked for: help has a paragraph each for processes, groups, mappings and groups of
# mappings.
function __footprint_cli_columns
    set -l words (commandline -opc)
    set -l paragraph 1
    __footprint_cli_has_mappings; and set paragraph 3
    if string match -qr -- '^(-b|--by)' $words; and not string match -qr -- '(-b|--by)[= ]?process' "$words"
        set paragraph (math $paragraph + 1)
    end
    $words[1] --columns help 2>/dev/null | while read -l line
        if not string match -q -- '  *' "$line"
            test -n "$line"; and set paragraph (math $paragraph - 1)
        else if test $paragraph -eq 0
            string replace -r -- '^  (\S+) +' '$1\t' "$line"
        end
    end
end

function __footprint_cli_by
    if __footprint_cli_has_mappings
        printf '%s\n' kind file
    else
        printf '%s\n' process program app unit user container
    end
end

# Completes the last item of a list that is separated by commas.
function __footprint_cli_list
    set -l before (string match -r -- '^.*,' (string replace -r -- '^(--\w+=|-\w)' '' (commandline -ct)))
    printf "$before%s\n" $argv
end

complete -c footprint-cli -f
complete -c footprint-cli -s b -l by -x -a '(__footprint_cli_by)' -d 'Sum by process, program, app, unit, user or container'
complete -c footprint-cli -s s -l sort -x -k -a '(__footprint_cli_columns)' -d 'Sort by this column'
complete -c footprint-cli -s r -l reverse -d 'Reverse the order'
complete -c footprint-cli -s l -l limit -x -k -a '5 10 20 50' -d 'Show only the first rows, and the sum of all'
complete -c footprint-cli -s c -l columns -x -k -a '(__footprint_cli_list (__footprint_cli_columns) all help)' -d 'Show these columns'
complete -c footprint-cli -s f -l filter -x -d 'Show only what matches'
complete -c footprint-cli -s u -l user -x -a '(__footprint_cli_list (__fish_complete_users))' -d 'Show only processes of these users'
complete -c footprint-cli -s p -l pid -x -a '(__footprint_cli_list (__fish_complete_pids))' -d 'Show only these processes'
complete -c footprint-cli -s a -l all -d 'Read the processes of all users'
complete -c footprint-cli -s m -l mappings -d 'Show each mapping of one process'
complete -c footprint-cli -l freed -d 'Show what ending these processes gives back'
complete -c footprint-cli -s S -l system -d 'Show where the memory of the machine is'
complete -c footprint-cli -s k -l kernel -d 'Include kernel threads'
complete -c footprint-cli -s w -l watch -x -k -a '1 2 5 10' -d 'Refresh at this interval'
complete -c footprint-cli -s t -l total -d 'Show only the sum'
complete -c footprint-cli -s % -l percent -d 'Show percentages'
complete -c footprint-cli -s B -l bytes -d 'Show bytes'
complete -c footprint-cli -s n -l numeric -d 'Show users as numbers'
complete -c footprint-cli -s j -l json -d 'Write JSON'
complete -c footprint-cli -l csv -d 'Write CSV'
complete -c footprint-cli -l proc -x -a '(__fish_complete_directories)' -d 'Read this folder instead of /proc'
complete -c footprint-cli -l save -r -F -d 'Write a snapshot to a file'
complete -c footprint-cli -l open -r -F -d 'Show a saved snapshot'
complete -c footprint-cli -l version -d 'Print the version'
complete -c footprint-cli -s h -l help -d 'Print the options'
