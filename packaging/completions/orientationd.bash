# SPDX-License-Identifier: Apache-2.0
# bash completion for orientationd

_orientationd() {
    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    # bash splits words at colons.
    [ "$word" = : ] && word= && previous=${COMP_WORDS[COMP_CWORD - 1]}:
    [ "$previous" = : ] && previous=${COMP_WORDS[COMP_CWORD - 2]}:
    case $previous in
    --sensor) COMPREPLY=($(compgen -W "auto iio: evdev: ssc: replay: fake:" -- "$word")) && compopt -o nospace ;;
    fake:) COMPREPLY=($(compgen -W "mount= natural= sensors=" -- "$word")) && compopt -o nospace ;;
    replay: | --socket) mapfile -t COMPREPLY < <(compgen -f -- "$word") && compopt -o filenames ;;
    --state-directory) mapfile -t COMPREPLY < <(compgen -d -- "$word") && compopt -o filenames ;;
    --classifier) COMPREPLY=($(compgen -W "standard calm quick" -- "$word")) ;;
    --natural-orientation) COMPREPLY=($(compgen -W "portrait landscapeLeft" -- "$word")) ;;
    --log-level) COMPREPLY=($(compgen -W "trace debug info notice warning error critical" -- "$word")) ;;
    --connections | --connections-per-user | --idle-exit) ;;
    *)
        COMPREPLY=($(compgen -W "--sensor --socket --state-directory --classifier --natural-orientation --dbus --idle-exit \
            --connections --connections-per-user --log-level --version --help" -- "$word"))
        ;;
    esac
}
complete -F _orientationd orientationd
