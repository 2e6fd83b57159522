# SPDX-License-Identifier: Apache-2.0

set -l sources auto iio: evdev: ssc: replay: fake: fake:mount= fake:natural= fake:sensors=
complete -c orientationd -f
complete -c orientationd -l sensor -x -a "$sources" -d "Source of the samples"
complete -c orientationd -l socket -r -F -d "Socket to listen on"
complete -c orientationd -l state-directory -x -a "(__fish_complete_directories)" -d "Directory of the persistent state"
complete -c orientationd -l classifier -x -a "standard calm quick" -d "Settings of the classifier"
complete -c orientationd -l natural-orientation -x -a "portrait landscapeLeft" -d "Natural orientation of the device"
complete -c orientationd -l dbus -d "Provide the SensorProxy service"
complete -c orientationd -l idle-exit -x -d "Exit after this time without clients, in seconds"
complete -c orientationd -l connections -x -d "Largest number of connections"
complete -c orientationd -l connections-per-user -x -d "Largest number of connections of one user"
complete -c orientationd -l log-level -x -a "trace debug info notice warning error critical" -d "Lowest level of logged messages"
complete -c orientationd -l version -d "Print the version"
complete -c orientationd -l help -d "Print the options"
