// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire
import Varlink

/// Prints states as text, for pipes and files.
@MainActor final class PlainLines: WatchDisplay {
    private let isJSON: Bool
    private let hasTimestamps: Bool
    private let output = TextOutput()
    /// The last line: a change of the lid angle alone prints none.
    private var last: String?

    init(isJSON: Bool, hasTimestamps: Bool) {
        self.isJSON = isJSON
        self.hasTimestamps = hasTimestamps
    }

    func show(_ device: WatchedDevice, after event: WatchEvent) throws {
        switch (event, device.link) {
        case (.state, _):
            guard let state = device.state else { return }
            print(state)
            try output.flush()
        case (.lost, .lost(let reason)):
            last = nil
            StandardError.print("orientationd: not connected: \(reason); retrying")
        case (.command, _):
            if case .failed(let why) = device.command { StandardError.print("--exec: \(why)") }
        default: break
        }
    }

    private func print(_ state: OrientationState) {
        let time = hasTimestamps ? WallClock.local : nil
        guard isJSON else {
            if state.line != last { output.add((time.map { $0 + " " } ?? "") + state.line + "\n") }
            return last = state.line
        }
        var json = state.printedJSON
        json["time"] = time.map { .string($0) }
        output.add(json: json.description)
    }
}
