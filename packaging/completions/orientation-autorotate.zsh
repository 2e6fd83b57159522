#compdef orientation-autorotate
# SPDX-License-Identifier: Apache-2.0

# The outputs without names that a shell would expand: they come from the display server.
_orientation_outputs() {
    compadd -- $(orientation-autorotate --list --json 2>/dev/null |
        grep -o '"name":"[[:alnum:]._:-]*"' | cut -d '"' -f 4)
}

_arguments \
    '--output[outputs to rotate as one body (default: the internal one)]:name:_orientation_outputs' \
    '--when[when to rotate: always, tablet or never]:mode:(always tablet never)' \
    '--orientations[orientations to allow, separated by commas]:list:_values -s , orientation natural portrait landscape any portrait-primary portrait-secondary landscape-primary landscape-secondary top left bottom right' \
    '--apps-when[windows whose apps restrict rotation (default: fullscreen)]:size:(fullscreen maximized focused never)' \
    '--on-exit[restore the previous rotation on exit, or keep the new one]:action:(restore keep)' \
    '--exec[shell command to run after each rotation]:command:' \
    '--suggest[suggest a rotation by a notification while locked]' \
    '--dry-run[print what would be rotated, and change nothing]' \
    '--json[print each event as a line of JSON]' \
    '--list[print the outputs and exit]' \
    '--socket[socket of orientationd]:path:_files' \
    '--log-level[lowest level to log (default: info)]:level:(trace debug info notice warning error critical)' \
    '(- *)'{-V,--version}'[print the version and exit]' \
    '(- *)'{-h,--help}'[print the options and exit]'
