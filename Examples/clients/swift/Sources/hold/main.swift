// SPDX-License-Identifier: Apache-2.0

// Hold landscape until Ctrl-C: swift run hold [SOCKET]

import Glibc
import OrientationClient
import Varlink

let folder = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? ""
let agent = OrientationService(
    socketPath: CommandLine.arguments.dropFirst().first ?? folder + "/orientation-autorotate/socket")
do {
    // The hold ends with the connection.
    for try await reply in agent.replies(to: "org.orientationd.Display.Hold", ["supported": ["landscape"]]) {
        print(reply)
        fflush(nil)
    }
} catch {
    print("hold: \(error)")
    exit(1)
}
