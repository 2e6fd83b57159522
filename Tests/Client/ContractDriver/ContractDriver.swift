// SPDX-License-Identifier: Apache-2.0

// The program of CLibraryTests/driver.c in Swift: the same output, and the commands suspend, resume, state and quit.

import Glibc
import OrientationClientCore
import OrientationModel

/// The last update, as the C library's state.
private struct Shown {
    var pose = "unknown"
    var edge = "unknown"
    var natural = "unknown"
    var rotation = -1
    var locked = -1
    var tablet = -1
    var failed = -1
    var sequence = 0
    var backend = "none"
    var sensor = ""
    var reason = ""

    init(reason: String) { self.reason = reason }

    init(_ state: OrientationState) {
        let natural = state.natural as Edge?
        pose = state.orientation.description
        self.natural = natural?.description ?? "unknown"
        edge = state.rotation.map { ["top", "left", "bottom", "right"][$0 / 90] } ?? "unknown"
        // As on the wire: an unknown orientation of the daemon keeps the picture as it is.
        rotation = natural != nil && state.orientation == .unknown ? -1 : state.rotation ?? -1
        locked = natural == nil ? -1 : state.isLocked ? 1 : 0
        tablet = state.tabletMode.map { $0 ? 1 : 0 } ?? -1
        failed = state.hasSensorFailed ? 1 : 0
        sequence = state.sequence
        backend = natural == nil ? "sensorproxy" : "varlink"
        sensor = state.sensor ?? ""
        reason = state.reason ?? ""
    }

    /// Prints the state; `result` is that of a command, null for an unknown one.
    func print(events: Int, result: String = "0") {
        let text = [
            ("pose", pose), ("edge", edge), ("natural", natural), ("backend", backend), ("sensor", sensor),
            ("reason", reason),
        ].map { #""\#($0)":"\#($1.filter { $0 != "\"" && $0 != "\\" })""# }
        let numbers = [
            ("events", events), ("rotation", rotation), ("locked", locked), ("tablet", tablet), ("failed", failed),
            ("sequence", sequence), ("held", -1), ("slowest", 0),
        ].map { #""\#($0)":\#($1)"# }
        Swift.print("{\((text + numbers).joined(separator: ",")),\"result\":\(result),\"error\":\"\"}")
        fflush(nil)
    }
}

@main private struct ContractDriver {
    static func main() throws {
        let connection = try OrientationConnection(buffering: .all(limit: 8))
        var shown = Shown(reason: "")
        while true {
            var files = [connection.fileDescriptor, STDIN_FILENO].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&files, 2, -1)
            for update in try connection.process() {
                switch update {
                case .state(let state): shown = Shown(state)
                case .notConnected(let reason): shown = Shown(reason: reason)
                }
                shown.print(events: 1)
            }
            guard files[1].revents != 0 else { continue }
            switch readLine() {
            case "suspend": connection.suspend()
            case "resume": connection.resume()
            case "state": break
            case "quit", nil: return print(#"{"slowest":0}"#)
            default:
                shown.print(events: 0, result: "null")
                continue
            }
            shown.print(events: 0)
        }
    }
}
