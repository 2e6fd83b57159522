// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire
import Varlink

/// Prints states as text, for pipes and files.
@MainActor final class PlainLines: WatchDisplay {
    enum Format {
        /// A line for each state.
        case line
        /// A JSON object on a line for each state.
        case json
        /// All facts of each state, separated by empty lines.
        case report
    }

    private let format: Format
    private let hasTimestamps: Bool
    private let output = TextOutput()
    private var hasPrinted = false

    init(_ format: Format, hasTimestamps: Bool = false) {
        self.format = format
        self.hasTimestamps = hasTimestamps
    }

    func show(_ device: WatchedDevice, after event: WatchEvent) throws {
        switch (event, device.link) {
        case (.state, _):
            guard let state = device.state else { return }
            print(state)
            hasPrinted = true
            try output.flush()
        case (.lost, .lost(let reason)): StandardError.print("\(reason); retrying")
        case (.stale, .stale(let reason)):
            let effect = device.state == nil ? "no state received yet" : "the last state may be out of date"
            StandardError.print("\(reason); \(effect)")
        case (.reply, _): StandardError.print("orientationd: replies again")
        case (.command, _):
            if case .failed(let why) = device.command { StandardError.print("--exec: \(why)") }
        default: break
        }
    }

    private func print(_ state: OrientationState) {
        let time = hasTimestamps ? WallClock.local : nil
        switch format {
        case .line: output.add((time.map { $0 + " " } ?? "") + state.line + "\n")
        case .report:
            if hasPrinted { output.add("\n") }
            if let time { output.add("time".padded(to: 15) + time + "\n") }
            output.add(state.report + "\n")
        case .json:
            var json = state.printedJSON
            json["time"] = time.map { .string($0) }
            output.add(json: json.description)
        }
    }
}
