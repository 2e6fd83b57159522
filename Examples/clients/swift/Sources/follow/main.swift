// SPDX-License-Identifier: Apache-2.0

// Subscribe to the orientation and to the state of the connection: swift run follow [SOCKET]

import Glibc
import OrientationClient
import OrientationModel

let monitor = OrientationMonitor(socketPath: CommandLine.arguments.dropFirst().first)
do {
    for try await update in monitor.updates {
        switch update {
        case .state(let state): print(state.orientation)
        case .notConnected(let reason): print("not connected: \(reason)")
        }
        fflush(nil)
    }
} catch {
    print("follow: \(error)")
    exit(1)
}
