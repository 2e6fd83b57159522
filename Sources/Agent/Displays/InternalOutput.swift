// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// The choice of the output that is rotated with the device.
package struct InternalOutput: Hashable, Sendable {
    package let name: String
    package let reason: Reason
    /// The other enabled internal outputs, if the choice was made among several.
    package var others: [String] = []
    /// The outputs that turn with it as one body: the others that the option names.
    package var companions: [String] = []

    /// Why an output was chosen.
    package enum Reason: String, Sendable {
        case option
        /// Its connector is of a kind that is used inside devices: eDP, LVDS, DSI, DPI.
        case internalConnector
        case onlyOutput
    }
}

extension InternalOutput {
    /// Chooses among the outputs: one that the option names, enabled before disabled and then in its order; else an internal
    /// one, enabled before disabled and then first by name; else the only output. Nil if there is none.
    package init?(among outputs: [Output], option: String? = nil) {
        if let option {
            let names = option.split(separator: ",").map(String.init)
            let found = names.filter { name in outputs.contains { $0.name == name } }
            let enabled = found.first { name in outputs.contains { $0.name == name && $0.isEnabled } }
            guard let first = enabled ?? found.first else { return nil }
            self.init(name: first, reason: .option, companions: found.filter { $0 != first })
            return
        }
        let inside = outputs.filter { InternalConnector.includes($0.name) }
            .sorted { ($0.isEnabled ? 0 : 1, $0.name) < ($1.isEnabled ? 0 : 1, $1.name) }
        if let first = inside.first {
            let others = inside.dropFirst().filter(\.isEnabled).map(\.name)
            self.init(name: first.name, reason: .internalConnector, others: others)
        } else if outputs.count == 1 {
            self.init(name: outputs[0].name, reason: .onlyOutput)
        } else {
            return nil
        }
    }
}
