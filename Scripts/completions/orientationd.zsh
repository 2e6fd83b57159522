#compdef orientationd
# SPDX-License-Identifier: Apache-2.0

local -a sources=(
    auto iio: iio:ip: replay: fake: fake:demonstration fake:poses fake:slow-turns fake:fast-turns fake:walking
    fake:running fake:car fake:table fake:fall fake:poor-sensor fake:calibration
)
_arguments \
    '--sensor[where samples come from]:source:{ if [[ $PREFIX == replay:* ]]; then compset -P "replay:"; _files; else compadd -S "" -a sources; fi }' \
    '--socket[where to listen]:path:_files' \
    '--state-directory[what must survive a restart]:folder:_files -/' \
    '--classifier[how samples are classified]:name:(standard calm quick)' \
    '--dbus[serve desktops too]' \
    '--connections[clients at a time]:number:' \
    '--connections-per-user[clients of one user]:number:' \
    '--log-level[the least important messages]:level:(trace debug info notice warning error critical)' \
    '--version[print the version]' \
    '--help[print the options]'
