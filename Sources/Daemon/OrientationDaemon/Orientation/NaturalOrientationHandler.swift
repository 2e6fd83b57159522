// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix
internal import Sensors
internal import Systemd

/// A natural orientation, and its source as a message.
struct NaturalOrientation: Equatable {
    let edge: Edge
    let source: String
}

/// The handler of the natural orientation: decides where it comes from, and raises ``Event/naturalChanged(_:)``.
///
/// In this order: the option, the sensor (a udev property, a recording, an option of the simulated device), the internal
/// panel for a sensor of this machine, `portrait`. A change of it renames the state for all clients, so that lookups of
/// the panel because of changed displays are limited: a burst, then one per interval.
struct NaturalOrientationHandler {
    /// The burst of lookups: more than the changes of a dock with its displays.
    static let burst = 4
    /// The interval between lookups after a burst, in seconds.
    static let interval = 1.0

    private let option: Edge?
    /// Whether a local sensor can be used that has the panel's natural orientation.
    let mayUsePanel: Bool
    private var bucket = TokenBucket(burst: burst, interval: interval)
    private var choice = PanelChoice.unknown("display not read yet")
    /// The pairs of panels whose different shapes have been logged, by name.
    private var logged: Set<Set<String>> = []
    /// The last opened sensor, or the expected one before the first is opened. Keeps its natural orientation while closed.
    private var sensor: SensorDescription?
    private var hasOpened = false
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
    var current: NaturalOrientation { natural(of: sensor) }

    mutating func handle(_ message: SensorEvent) -> [Effect] {
        guard case .sensor(.accelerometer, _, .opened(let opened, _)) = message else { return [] }
        sensor = opened
        hasOpened = true
        return publish()
    }

    mutating func handle(_ connectors: [DisplayConnector]) -> [Effect] {
        choice = PanelChoice.choose(among: connectors, former: choice.panel)
        return publish()
    }

    /// Handles a change of a display: looks the panel up now, or when the limit allows it.
    mutating func displaysChanged(at now: Double) -> [Effect] {
        // The timer may fire a microsecond early: it is set again.
        guard bucket.take(at: now) else { return [.setTimer(.displayRead, after: bucket.wait(at: now))] }
        return [.setTimer(.displayRead, after: nil), .readConnectors]
    }

    func described(_ listed: SensorDescription) -> SensorDescription {
        // The natural orientation of a recording is known once it is open.
        let natural = natural(of: listed.natural == nil && listed.id == sensor?.id ? sensor : listed)
        var described = listed
        described.natural = natural.edge
        described.naturalSource = natural.source
        return described
    }

    private func natural(of sensor: SensorDescription?) -> NaturalOrientation {
        if let option { return NaturalOrientation(edge: option, source: "--natural-orientation") }
        if let natural = sensor?.natural {
            return NaturalOrientation(edge: natural, source: sensor?.naturalSource ?? "sensor")
        }
        guard usesPanel(sensor) else { return NaturalOrientation(edge: .portrait, source: "default") }
        switch choice {
        case .panel(let panel, _):
            return NaturalOrientation(edge: panel.mode.shape.natural, source: "display \(panel)")
        case .unknown(let reason): return NaturalOrientation(edge: .portrait, source: "default; \(reason)")
        }
    }

    private func usesPanel(_ sensor: SensorDescription?) -> Bool {
        option == nil && sensor?.natural == nil && sensor?.isHardware ?? mayUsePanel
    }

    private mutating func publish() -> [Effect] {
        let current = current
        guard current.edge != published else { return warnings() }
        published = current.edge
        return warnings() + [
            .log(.info, "natural orientation \(current.edge), from \(current.source)"),
            .raise(.naturalChanged(current.edge)),
        ]
    }

    /// Logs panels of different shape, once for each pair, when the panel is used: the udev property of a sensor is known
    /// once it is open.
    private mutating func warnings() -> [Effect] {
        guard hasOpened, usesPanel(sensor), case .panel(let panel, let other?) = choice,
            logged.insert([panel.name, other.name]).inserted
        else { return [] }
        return [
            .log(
                .warning,
                "panels of different shape: \(panel), and \(other); using \(panel.name); "
                    + "set ORIENTATIOND_NATURAL_ORIENTATION to choose")
        ]
    }
}

extension PanelChoice {
    fileprivate var panel: DisplayPanel? {
        if case .panel(let panel, _) = self { panel } else { nil }
    }
}
