#compdef orientation-autorotate
# SPDX-License-Identifier: Apache-2.0

_arguments \
    '--output[output to rotate]:name:' \
    '--when[when to rotate]:mode:(always tablet never)' \
    '--orientations[orientations to rotate to]:list:_values -s , orientation portrait portraitUpsideDown landscapeLeft landscapeRight' \
    '--delay[how long a new orientation must last]:seconds:' \
    '--on-exit[what to do at the end]:action:(restore keep)' \
    '--exec[command to run after each rotation]:command:' \
    '--dry-run[print what would be rotated]' \
    '--force[rotate even if the desktop does]' \
    '--json[print events as JSON]' \
    '--list[print the outputs]' \
    '--socket[socket of orientationd]:path:_files' \
    '--log-level[lowest level of logged messages]:level:(trace debug info notice warning error critical)' \
    '--version[print the version]' \
    '--help[print the options]'
