# SPDX-License-Identifier: Apache-2.0
# bash completion for orientation-autorotate

_orientation_autorotate() {
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    case $previous in
    --output)
        # Without names that the shell would expand: they come from the display server, and -W expands its words.
        COMPREPLY=($(compgen -W "$(orientation-autorotate --list --json 2>/dev/null |
            grep -o '"name":"[[:alnum:]._:-]*"' | cut -d '"' -f 4)" -- "$word"))
        ;;
    --when) COMPREPLY=($(compgen -W "always tablet never" -- "$word")) ;;
    --orientations)
        # After a comma: the next of the list.
        local list=
        case $word in *,*) list=${word%,*}, ;; esac
        COMPREPLY=($(compgen -P "$list" -W "natural portrait landscape any portrait-primary portrait-secondary \
            landscape-primary landscape-secondary top left bottom right" -- "${word##*,}"))
        ;;
    --apps-when) COMPREPLY=($(compgen -W "fullscreen maximized focused never" -- "$word")) ;;
    --on-exit) COMPREPLY=($(compgen -W "restore keep" -- "$word")) ;;
    --socket) mapfile -t COMPREPLY < <(compgen -f -- "$word") && compopt -o filenames ;;
    --log-level) COMPREPLY=($(compgen -W "trace debug info notice warning error critical" -- "$word")) ;;
    --exec) ;;
    *)
        COMPREPLY=($(compgen -W "--output --when --orientations --apps-when --on-exit --exec --suggest --dry-run \
            --json --list --socket --log-level -V --version -h --help" -- "$word"))
        ;;
    esac
}
complete -F _orientation_autorotate orientation-autorotate
