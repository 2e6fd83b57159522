// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationRules
import Testing

@testable import Autorotate
@testable import Displays

/// A policy with a simulated display server: sequences of events, and the effects.
struct PolicyBench {
    var policy: AutorotatePolicy
    var outputs: [Output]
    /// The effects of the last call, in order.
    private(set) var effects: [AutorotatePolicy.Effect] = []
    private var sequence = 0
    /// The time of the next event, in seconds.
    var now = 1_000.0

    init(_ settings: Settings = Settings(), outputs: [Output] = [Self.panel], initial: SavedTransform? = nil) {
        policy = AutorotatePolicy(settings, initial: initial)
        self.outputs = outputs
    }

    /// A started policy with three apps, whose device is held in a pose.
    static func withApps(_ settings: Settings = Settings(), held pose: DeviceOrientation = .portrait) -> PolicyBench {
        var bench = PolicyBench(settings)
        bench.desktopFiles = [
            "film": [.landscapeLeft, .landscapeRight], "reader": [.portrait], "game": [.landscapeRight],
        ]
        bench.start()
        bench.turnAndAccept(pose)
        return bench
    }

    /// A policy whose display server has reported its outputs.
    static func started(
        _ settings: Settings = Settings(), outputs: [Output] = [Self.panel], initial: SavedTransform? = nil
    ) -> PolicyBench {
        var bench = PolicyBench(settings, outputs: outputs, initial: initial)
        bench.start()
        return bench
    }

    static let panel = Output(name: "eDP-1", mode: PixelSize(width: 1920, height: 1080))
    static let monitor = Output(
        name: "HDMI-A-1", mode: PixelSize(width: 2560, height: 1440), position: LayoutPoint(x: 1920, y: 0))

    /// The reports of the last call.
    var reports: [AgentMessage] {
        effects.compactMap { effect in
            if case .report(let report) = effect { report } else { nil }
        }
    }

    /// The configuration that the last call applied, if any.
    var applied: [Output]? {
        effects.compactMap { effect in
            if case .apply(let outputs) = effect { outputs } else { nil }
        }.last
    }

    /// The transform of the panel that the last call asked for, if any.
    var requested: OutputTransform? { applied?.first { $0.name == "eDP-1" }?.transform }

    var transform: OutputTransform? { outputs.first { $0.name == "eDP-1" }?.transform }

    @discardableResult mutating func handle(_ event: AutorotatePolicy.Event) -> [AutorotatePolicy.Effect] {
        effects = policy.handle(event, at: now)
        return effects
    }

    /// The server reports its outputs.
    mutating func start() { handle(.display(.outputs(outputs))) }

    /// The daemon sends a state of a wide device.
    mutating func turn(
        _ orientation: DeviceOrientation, lock: Edge? = nil, isLocked: Bool = false, tabletMode: Bool? = nil,
        lidAngle: Int? = nil
    ) {
        sequence += 1
        var state = OrientationState(
            orientation: orientation, lastEdge: Edge(orientation), natural: .landscapeLeft,
            isLocked: isLocked || lock != nil, lockedTo: lock, tabletMode: tabletMode, sequence: sequence,
            instance: "bench")
        state.lidAngle = lidAngle
        handle(.state(state))
    }

    /// The daemon sends a state in which an edge of the panel is up.
    mutating func turn(up edge: PanelEdge, natural: Edge) {
        let pose = Edge(edge, natural: natural)
        sequence += 1
        handle(
            .state(
                OrientationState(
                    orientation: DeviceOrientation(pose), lastEdge: pose, natural: natural, sequence: sequence,
                    instance: "bench")))
    }

    /// The server applies what the last call requested, and reports it.
    mutating func accept() {
        guard let applied else {
            // A turn that needs no rotation.
            return
        }
        outputs = applied
        let first = policy.handle(.display(.outputs(outputs)), at: now)
        effects = first + policy.handle(.display(.applied), at: now)
    }

    /// Turns the device, and the server applies what follows.
    mutating func turnAndAccept(_ orientation: DeviceOrientation, tabletMode: Bool? = nil) {
        turn(orientation, tabletMode: tabletMode)
        accept()
    }

    /// Another program sets a transform, this many seconds after the last event.
    mutating func set(_ transform: OutputTransform, after seconds: Double) {
        now += seconds
        outputs[0].transform = transform
        handle(.display(.outputs(outputs)))
    }

    /// The user sets a transform long after the last change of the outputs, and once more if it is replaced.
    mutating func setByHand(_ transform: OutputTransform) {
        set(transform, after: 60)
        guard reports.contains(where: { $0.kind == .reset }) else { return }
        accept()
        set(transform, after: 1)
    }

    /// The desktop files by the app ID of a window.
    var desktopFiles: [String: [InterfaceOrientation]] = [:]

    /// A window comes to the front; the agent finds its desktop file, and the server applies what follows.
    mutating func show(
        _ appID: String?, id: UInt64 = 1, _ state: FrontWindow.State = .fullscreen, output: String? = nil
    ) {
        let window = FrontWindow(id: id, appID: appID, state: state, output: output)
        if handle(.display(.frontWindow(window))).contains(.findApp(window)) {
            let declared = appID.flatMap { desktopFiles[$0] }
            handle(.app(appID.map { AppDeclaration(id: $0, orientations: declared) }, window: window))
        }
        accept()
    }

    /// No window has the focus.
    mutating func showNothing() {
        handle(.display(.frontWindow(nil)))
        accept()
    }

    /// Apps hold these; the server applies what follows.
    mutating func hold(_ holds: OrientationHold...) {
        handle(.holds(holds))
        accept()
    }

    /// The interface orientation and the sentence.
    var orientation: InterfaceOrientation? { policy.explanation.orientation }
    var sentence: String { policy.explanation.sentence }
    var obstacle: Obstacle? { policy.explanation.obstacle }

    /// How the sentence in laptop mode begins.
    static let notInTabletMode = "The display keeps its orientation: the device is not in tablet mode"
}

// MARK: Lists in UIKit's names

extension OrientationList {
    /// Creates a list of single orientations.
    init(_ orientations: some Sequence<InterfaceOrientation>) {
        self.init(
            orientations.compactMap { orientation in
                OrientationWord.poses.first {
                    $0.edges(natural: .portrait).map { InterfaceOrientation($0) } == [orientation]
                }
            })
    }
}

extension OrientationHold {
    init(
        id: Int, appID: String? = nil, supported: InterfaceOrientationMask, preferred: InterfaceOrientation? = nil,
        isLocked: Bool = false, process: Int32? = nil
    ) {
        self.init(
            id: id, appID: appID, supported: OrientationList(supported.orientations),
            preferred: preferred.flatMap { OrientationList([$0]).words.first }, isLocked: isLocked, process: process)
    }
}

extension AppDeclaration {
    init(id: String, orientations: [InterfaceOrientation]?) {
        self.init(id: id, orientations: orientations.map { OrientationList($0) })
    }
}

extension Settings {
    init(orientations: [Edge]) {
        self.init(orientations: OrientationList(orientations.map { InterfaceOrientation($0) }))
    }
}
