// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import OrientationModel
internal import Sensing

/// The handler of the natural orientation: decides where it comes from, and raises ``Event/naturalChanged(_:)``.
///
/// In this order: the option, the sensor (a udev property, a recording, an option of the simulated device), the internal
/// panel for a sensor of this machine, `portrait`.
struct NaturalOrientationHandler {
    /// A natural orientation, and where it comes from, for messages.
    struct Answer: Equatable {
        let edge: Edge
        let source: String
    }

    private let option: Edge?
    /// Whether a local sensor can be used whose natural orientation is that of the panel.
    let mayUsePanel: Bool
    private var choice = PanelChoice.unknown("display not read yet")
    /// The last opened sensor, before the first one the expected one; its natural orientation stays while none is open.
    private var sensor: SensorDescription?
    private var published = Edge.portrait

    /// - Parameters:
    ///   - option: the option `--natural-orientation`.
    ///   - expected: what is known of the sensor before it is opened.
    ///   - mayUsePanel: whether the configured source includes sensors of this machine.
    init(option: Edge?, expected: SensorDescription? = nil, mayUsePanel: Bool) {
        self.option = option
        sensor = expected
        self.mayUsePanel = mayUsePanel && option == nil
        published = current.edge
    }

    /// The natural orientation while the last opened sensor is in use.
    var current: Answer { answer(for: sensor) }

    /// Handles a message of the sensor thread.
    mutating func handle(_ message: SensorEvent) -> [Effect] {
        guard case .opened(_, let opened, _) = message else { return [] }
        sensor = opened
        return publish()
    }

    /// Handles the connectors of the displays.
    mutating func handle(_ connectors: [DisplayConnector]) -> [Effect] {
        let new = PanelChoice.choose(among: connectors, former: choice.panel)
        guard new != choice else { return [] }
        choice = new
        guard case .panel(_, let warning?) = new else { return publish() }
        return [.log(.warning, warning)] + publish()
    }

    /// Adds the natural orientation to a listed sensor.
    func described(_ listed: SensorDescription) -> SensorDescription {
        // The natural orientation of a recording is known once it is open.
        let answer = answer(for: listed.natural == nil && listed.id == sensor?.id ? sensor : listed)
        var described = listed
        described.natural = answer.edge
        described.naturalSource = answer.source
        return described
    }

    private func answer(for sensor: SensorDescription?) -> Answer {
        if let option { return Answer(edge: option, source: "--natural-orientation") }
        if let natural = sensor?.natural { return Answer(edge: natural, source: sensor?.naturalSource ?? "sensor") }
        guard sensor?.isLocal ?? mayUsePanel else { return Answer(edge: .portrait, source: "default") }
        switch choice {
        case .panel(let panel, _):
            return Answer(edge: panel.shape.natural, source: "display \(panel.name), \(panel.mode)")
        case .unknown(let reason): return Answer(edge: .portrait, source: "default; \(reason)")
        }
    }

    private mutating func publish() -> [Effect] {
        let current = current
        guard current.edge != published else { return [] }
        published = current.edge
        return [
            .log(.info, "natural orientation \(current.edge), from \(current.source)"),
            .raise(.naturalChanged(current.edge)),
        ]
    }
}

extension PanelChoice {
    fileprivate nonisolated var panel: DisplayPanel? {
        if case .panel(let panel, _) = self { panel } else { nil }
    }
}
