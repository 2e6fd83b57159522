// SPDX-License-Identifier: Apache-2.0

internal import Displays

/// The outputs that the display server reported last, and the one that rotates.
struct OutputSelection: Sendable {
    enum Change {
        /// An output was added, removed, enabled or disabled, or the one that rotates has another mode or scale.
        case rearranged
        /// Only the transform of the output that rotates changed, among what matters here.
        case transform(from: Output, to: Output)
        case nothing
    }

    private let option: String?
    private(set) var outputs: [Output] = []
    private(set) var isKnown = false
    private(set) var chosen: InternalOutput?
    /// Whether an internal output was connected at any time.
    private var hasInternalOutput = false

    /// Selects the output that the option names; nil for the internal one.
    init(option: String?) {
        self.option = option
    }

    /// The outputs that rotate as one body, the output that rotates first.
    var body: [String] { chosen.map { [$0.name] + $0.companions } ?? [] }

    /// The output that rotates, as the server reported it last; nil if there is none.
    var output: Output? {
        chosen.flatMap { chosen in outputs.first { $0.name == chosen.name } }
    }

    mutating func update(_ new: [Output]) -> Change {
        let (old, oldOutputs, wasKnown) = (output, outputs, isKnown)
        outputs = new
        isKnown = true
        chosen = InternalOutput(among: new, option: option)
        if chosen?.reason == .internalConnector { hasInternalOutput = true }
        // The monitor of a device whose internal output was removed does not rotate with the device.
        if chosen?.reason == .onlyOutput, hasInternalOutput { chosen = nil }
        guard wasKnown, Set(oldOutputs.map(\.presence)) == Set(new.map(\.presence)),
            old?.structure == output?.structure
        else { return .rearranged }
        guard let old, let output, old.transform != output.transform else { return .nothing }
        return .transform(from: old, to: output)
    }
}
