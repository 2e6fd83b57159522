# SPDX-License-Identifier: Apache-2.0

set -l sources auto iio: iio:ip: replay: fake:demonstration fake:poses fake:slow-turns fake:fast-turns fake:walking \
    fake:running fake:car fake:table fake:fall fake:poor-sensor fake:calibration
complete -c orientationd -f
complete -c orientationd -l sensor -x -a "$sources" -d "Where samples come from"
complete -c orientationd -l socket -r -F -d "Where to listen"
complete -c orientationd -l state-directory -x -a "(__fish_complete_directories)" -d "What must survive a restart"
complete -c orientationd -l classifier -x -a "standard calm quick" -d "How samples are classified"
complete -c orientationd -l dbus -d "Serve desktops too"
complete -c orientationd -l connections -x -d "Clients at a time"
complete -c orientationd -l connections-per-user -x -d "Clients of one user"
complete -c orientationd -l log-level -x -a "trace debug info notice warning error critical" -d "Least important messages"
complete -c orientationd -l version -d "Print the version"
complete -c orientationd -l help -d "Print the options"
