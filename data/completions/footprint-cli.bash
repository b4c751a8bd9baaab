# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion for footprint-cli

# Prints the columns of the list that is asked for: help has a paragraph each for processes, groups, mappings and groups of
# mappings.
_footprint_cli_columns() {
    local program=$1 of_mappings=0 is_group=0 i
    for ((i = 1; i < ${#COMP_WORDS[@]}; i++)); do
        case ${COMP_WORDS[i]} in
            -m | --mappings) of_mappings=2 ;;
            -b | --by) [[ ${COMP_WORDS[i + 1]} == = ]] && ((i++)); [[ ${COMP_WORDS[i + 1]} == process ]] || is_group=1 ;;
        esac
    done
    "$program" --columns help 2>/dev/null |
        awk -v paragraph=$((1 + of_mappings + is_group)) 'BEGIN { RS = ""; FS = "\n" } NR == paragraph { for (i = 2; i <= NF; i++) { split ($i, word, " "); print word[1] } }'
}

_footprint_cli_pids() {
    local folder
    for folder in /proc/[0-9]*; do
        echo "${folder#/proc/}"
    done
}

# Completes the last item of a list. $1: the word, others: choices
_footprint_cli_list() {
    local word=$1 before=
    shift
    [[ $word != *,* ]] || before=${word%,*},
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$*" -- "${word##*,}")
    compopt -o nospace 2>/dev/null
}

_footprint_cli() {
    local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}

    COMPREPLY=()
    if [[ $current == = ]]; then
        current=
    elif [[ $option == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $option in
        -b | --by)
            if [[ " ${COMP_WORDS[*]} " =~ \ (-m|--mappings)\  ]]; then
                mapfile -t COMPREPLY < <(compgen -W "kind file" -- "$current")
            else
                mapfile -t COMPREPLY < <(compgen -W "process program app unit user container" -- "$current")
            fi
            ;;
        -s | --sort)
            mapfile -t COMPREPLY < <(compgen -W "$(_footprint_cli_columns "$1")" -- "$current")
            ;;
        -c | --columns)
            _footprint_cli_list "$current" "$(_footprint_cli_columns "$1")" all help
            ;;
        -u | --user)
            _footprint_cli_list "$current" "$(compgen -u)"
            ;;
        -p | --pid)
            _footprint_cli_list "$current" "$(_footprint_cli_pids)"
            ;;
        -l | --limit)
            mapfile -t COMPREPLY < <(compgen -W "5 10 20 50" -- "$current")
            ;;
        -w | --watch)
            mapfile -t COMPREPLY < <(compgen -W "1 2 5 10" -- "$current")
            ;;
        --proc)
            mapfile -t COMPREPLY < <(compgen -d -- "$current")
            compopt -o filenames 2>/dev/null
            ;;
        --save | --open)
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
            compopt -o filenames 2>/dev/null
            ;;
        -f | --filter) ;;
        *)
            mapfile -t COMPREPLY < <(compgen -W "--by --sort --reverse --limit --columns --filter --user --pid --all --mappings --freed --system
                --kernel --watch --total --percent --bytes --numeric --json --csv --proc --save --open --version --help
                -b -s -r -l -c -f -u -p -a -m -S -k -w -t -% -B -n -j -h" -- "$current")
            ;;
    esac
}

complete -F _footprint_cli footprint-cli
