// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire

/// A line for each state, for pipes, files and people who want no picture.
@MainActor final class PlainLines: WatchDisplay {
    private let isJSON: Bool
    private let output = TextOutput()

    init(isJSON: Bool) {
        self.isJSON = isJSON
    }

    func show(_ device: WatchedDevice, after event: WatchEvent) throws {
        switch (event, device.link) {
        case (.state, _):
            guard let state = device.state else { return }
            output.add(isJSON ? "\(state.json)\n" : "\(state.line)\n")
            try output.flush()
        case (.lost, .lost(let reason)): ExitStatus.say("\(reason); trying again")
        case (.command, _):
            if case .failed(let why) = device.command { ExitStatus.say("the command of --exec \(why)") }
        default: break
        }
    }
}
