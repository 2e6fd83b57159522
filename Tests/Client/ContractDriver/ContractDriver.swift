// SPDX-License-Identifier: Apache-2.0

// The program of CLibraryTests/driver.c in Swift: the same output, and the commands suspend, resume, state and quit.

import Glibc
import OrientationClientCore
import OrientationModel
import Varlink

/// Returns an update with the names of the C library's state.
private func shown(_ update: OrientationUpdate?) -> JSONObject {
    var state: OrientationState?
    var reason = ""
    switch update {
    case .state(let new)?: (state, reason) = (new, new.reason ?? "")
    case .notConnected(let why)?: reason = why
    case nil: break
    }
    func number(_ flag: Bool?) -> JSONValue { flag.map { $0 ? 1 : 0 } ?? -1 }
    let natural = state?.natural
    // As on the wire: an unknown orientation of the daemon keeps the picture as it is.
    let rotation = natural != nil && state?.orientation == .unknown ? nil : state?.rotation
    return [
        "pose": .string((state?.orientation ?? .unknown).description),
        "natural": .string(natural?.description ?? "unknown"),
        "edge": .string(state?.rotation.map { ["top", "left", "bottom", "right"][$0 / 90] } ?? "unknown"),
        "rotation": .integer(Int64(rotation ?? -1)), "locked": number(natural == nil ? nil : state?.isLocked),
        "tablet": number(state?.tabletMode), "failed": number(state?.hasSensorFailed),
        "sequence": .integer(Int64(state?.sequence ?? 0)), "sensor": .string(state?.sensor ?? ""),
        "backend": .string(state == nil ? "none" : natural == nil ? "sensorproxy" : "varlink"),
        "reason": .string(reason), "error": "", "held": -1, "slowest": 0,
    ]
}

@main private struct ContractDriver {
    /// Prints a state; `result` is that of a command, null for an unknown one.
    static func show(_ state: JSONObject, events: JSONValue, result: JSONValue = 0) {
        var line = state
        line["events"] = events
        line["result"] = result
        print(line)
        fflush(nil)
    }

    static func main() throws {
        let connection = try OrientationConnection(buffering: .all(limit: 8))
        var last = shown(nil)
        while true {
            var files = [connection.fileDescriptor, STDIN_FILENO].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&files, 2, -1)
            for update in try connection.process() {
                last = shown(update)
                show(last, events: 1)
            }
            guard files[1].revents != 0 else { continue }
            switch readLine() {
            case "suspend": connection.suspend()
            case "resume": connection.resume()
            case "state": break
            case "quit", nil: return print(#"{"slowest":0}"#)
            default:
                show(last, events: 0, result: nil)
                continue
            }
            show(last, events: 0)
        }
    }
}
