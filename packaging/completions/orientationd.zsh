#compdef orientationd
# SPDX-License-Identifier: Apache-2.0

_orientationd_sources() {
    local -a sources=(auto iio: evdev: ssc: replay: fake: fake:mount= fake:natural= fake:sensors=)
    if compset -P replay:; then _files; else compadd -S '' -a sources; fi
}

_arguments \
    '--sensor[source of the samples]:source:_orientationd_sources' \
    '--socket[socket to listen on]:path:_files' \
    '--state-directory[directory of the persistent state]:directory:_files -/' \
    '--classifier[settings of the classifier]:name:(standard calm quick)' \
    '--natural-orientation[natural orientation of the device]:edge:(portrait landscapeLeft)' \
    '--dbus[provide the SensorProxy service]' \
    '--idle-exit[exit after this time without clients]:seconds:' \
    '--connections[largest number of connections]:number:' \
    '--connections-per-user[largest number of connections of one user]:number:' \
    '--log-level[lowest level of logged messages]:level:(trace debug info notice warning error critical)' \
    '--version[print the version]' \
    '--help[print the options]'
