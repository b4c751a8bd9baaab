#compdef footprint-cli
# SPDX-License-Identifier: GPL-3.0-or-later
# zsh completion for footprint-cli

# Fills "columns" for the list that is asked for: help has a paragraph each for processes, groups, mappings and groups of
# mappings.
_footprint_cli_read_columns() {
    local -i paragraph=1
    local line name

    (( ${words[(I)-m]} || ${words[(I)--mappings]} )) && paragraph+=2
    (( ${words[(I)-b|-b?*|--by|--by=*]} )) && [[ "$words" != *(-b|--by)(=| |)process* ]] && paragraph+=1
    columns=()
    for line in ${(f)"$(_call_program columns ${(q)words[1]} --columns help 2>/dev/null)"}; do
        [[ $line == '  '* ]] || { (( paragraph-- )) || break; continue; }
        (( paragraph )) || columns+=("${${line#  }%% *}:${${line#  * }## #}")
    done
}

_footprint_cli_column() {
    setopt localoptions extendedglob
    local -a columns
    _footprint_cli_read_columns
    _describe -t columns column columns
}

_footprint_cli_columns() {
    setopt localoptions extendedglob
    local -a columns
    _footprint_cli_read_columns
    columns+=('all:every column' 'help:list the columns')
    _sequence _describe -t columns column columns
}

_footprint_cli_by() {
    if (( ${words[(I)-m]} || ${words[(I)--mappings]} )); then
        _values 'sum mappings by' kind file
    else
        _values 'sum by' process program app unit user container
    fi
}

_arguments -s \
    '(-b --by)'{-b+,--by=}'[sum by process, program, app, unit, user or container; mappings by kind or file]:group:_footprint_cli_by' \
    '(-s --sort)'{-s+,--sort=}'[sort by this column]:column:_footprint_cli_column' \
    '(-r --reverse)'{-r,--reverse}'[reverse the order]' \
    '(-l --limit)'{-l+,--limit=}'[show only the first rows, and the sum of all]:rows:(5 10 20 50)' \
    '*'{-c+,--columns=}'[show these columns]:columns:_footprint_cli_columns' \
    '*'{-f+,--filter=}'[show only what matches]:search text: ' \
    '*'{-u+,--user=}'[show only processes of these users]:users:_sequence _users' \
    '*'{-p+,--pid=}'[show only these processes]:processes:_sequence _pids' \
    '(-a --all)'{-a,--all}'[read the processes of all users]' \
    '(-m --mappings)'{-m,--mappings}'[show each mapping of one process]' \
    '--freed[show what ending these processes gives back]' \
    '(-S --system)'{-S,--system}'[show where the memory of the machine is]' \
    '(-k --kernel)'{-k,--kernel}'[include kernel threads]' \
    '(-w --watch)'{-w+,--watch=}'[refresh at this interval]:seconds:(1 2 5 10)' \
    '(-t --total)'{-t,--total}'[show only the sum]' \
    '(-% --percent)'{-%,--percent}'[show percentages]' \
    '(-B --bytes)'{-B,--bytes}'[show bytes]' \
    '(-n --numeric)'{-n,--numeric}'[show users as numbers]' \
    '(-j --json --csv)'{-j,--json}'[write JSON]' \
    '(-j --json --csv)--csv[write CSV]' \
    '--proc=[read this folder instead of /proc]:folder:_directories' \
    '--save=[write a snapshot to a file]:file:_files' \
    '--open=[show a saved snapshot]:file:_files' \
    '(- *)--version[print the version]' \
    '(- *)'{-h,--help}'[print the options]'
