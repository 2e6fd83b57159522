// SPDX-License-Identifier: Apache-2.0

// PollClient SOCKET: prints each update, and for each line on standard input the resources of the process. Uses nothing
// but poll(2).

import Glibc
import OrientationClientCore
import OrientationModel

/// Returns the number of entries of a directory in /proc.
func count(_ path: String) -> Int {
    guard let directory = opendir(path) else { return -1 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    // Without `.` and `..`.
    return count - 2
}

let connection = try OrientationConnection(socketPath: CommandLine.arguments[1])
var wakeUps = 0
while true {
    var descriptors = [
        pollfd(fd: connection.fileDescriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
    ]
    poll(&descriptors, 2, -1)
    if descriptors[0].revents != 0 {
        wakeUps += 1
        for update in try connection.process() {
            switch update {
            case .state(let state): print("state \(state.sequence) \(state.instance)")
            case .notConnected(let reason): print("not connected: \(reason)")
            }
        }
    }
    // All streams: `stdout` is a mutable global.
    fflush(nil)
    if descriptors[1].revents != 0 {
        guard readLine() != nil else { break }
        print("threads \(count("/proc/self/task")) descriptors \(count("/proc/self/fd")) wake-ups \(wakeUps)")
        fflush(nil)
    }
}
