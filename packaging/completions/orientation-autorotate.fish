# SPDX-License-Identifier: Apache-2.0

complete -c orientation-autorotate -f
complete -c orientation-autorotate -l output -x -d "Output to rotate"
complete -c orientation-autorotate -l when -x -a "always tablet never" -d "When to rotate"
complete -c orientation-autorotate -l orientations -x -a "portrait portraitUpsideDown landscapeLeft landscapeRight" \
    -d "Orientations to rotate to"
complete -c orientation-autorotate -l delay -x -d "How long a new orientation must last"
complete -c orientation-autorotate -l on-exit -x -a "restore keep" -d "What to do at the end"
complete -c orientation-autorotate -l exec -x -d "Command to run after each rotation"
complete -c orientation-autorotate -l dry-run -d "Print what would be rotated"
complete -c orientation-autorotate -l force -d "Rotate even if the desktop does"
complete -c orientation-autorotate -l json -d "Print events as JSON"
complete -c orientation-autorotate -l list -d "Print the outputs"
complete -c orientation-autorotate -l socket -r -F -d "Socket of orientationd"
complete -c orientation-autorotate -l log-level -x -a "trace debug info notice warning error critical" -d "Lowest level of logged messages"
complete -c orientation-autorotate -l version -d "Print the version"
complete -c orientation-autorotate -l help -d "Print the options"
