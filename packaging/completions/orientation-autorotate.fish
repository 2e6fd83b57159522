# SPDX-License-Identifier: Apache-2.0

complete -c orientation-autorotate -f
# The outputs without names that a shell would expand: they come from the display server.
complete -c orientation-autorotate -l output -x \
    -a "(orientation-autorotate --list --json 2>/dev/null | grep -o '\"name\":\"[[:alnum:]._:-]*\"' | cut -d '\"' -f 4)" \
    -d "Output to rotate (default: the internal one)"
complete -c orientation-autorotate -l when -x -a "always tablet never" -d "When to rotate: always, tablet or never"
complete -c orientation-autorotate -l orientations -x \
    -a "natural portrait landscape any portrait-primary portrait-secondary landscape-primary landscape-secondary top left bottom right" \
    -d "Orientations to allow, separated by commas"
complete -c orientation-autorotate -l apps-when -x -a "fullscreen maximized focused never" \
    -d "Windows whose apps restrict rotation (default: fullscreen)"
complete -c orientation-autorotate -l on-exit -x -a "restore keep" \
    -d "Restore the previous rotation on exit, or keep the new one"
complete -c orientation-autorotate -l exec -x -d "Shell command to run after each rotation"
complete -c orientation-autorotate -l suggest -d "Suggest a rotation by a notification while locked"
complete -c orientation-autorotate -l dry-run -d "Print what would be rotated, and change nothing"
complete -c orientation-autorotate -l json -d "Print each event as a line of JSON"
complete -c orientation-autorotate -l list -d "Print the outputs and exit"
complete -c orientation-autorotate -l socket -r -F -d "Socket of orientationd"
complete -c orientation-autorotate -l log-level -x -a "trace debug info notice warning error critical" \
    -d "Lowest level to log (default: info)"
complete -c orientation-autorotate -s V -l version -d "Print the version and exit"
complete -c orientation-autorotate -s h -l help -d "Print the options and exit"
