// SPDX-License-Identifier: Apache-2.0

internal import CWayland
internal import Systemd

/// Compositors with wlr-output-management: sway, labwc, phoc, niri, Hyprland, COSMIC, river, wayfire.
///
/// Every configuration names every head: compositors move or disable heads that it leaves out.
final class WlrServer: DisplayServer {
    let name: String
    private let connection: WaylandConnection
    private let receiver: DisplayServerReceiver
    private var isEnded = false
    private var reporter = OutputReporter()
    private var timer: EventSource?
    private var manager: WaylandObject?
    private var heads: [WlrHead] = []
    private var serial: UInt32 = 0
    /// The configuration whose result is not known yet.
    private var configuration: WaylandObject?
    private var addedRotations = AddedRotations()
    private var input: SwayInput?
    private var frontWindow: FrontWindowReporter?

    /// The highest known version of the protocol.
    private static let version: UInt32 = 4

    private enum Manager {
        static let createConfiguration = 0
        static let head = 0, done = 1, finished = 2
    }
    private enum Configuration {
        static let enableHead = 0, disableHead = 1, apply = 2, destroy = 4
        static let succeeded = 0, failed = 1, cancelled = 2
    }
    private enum ConfigurationHead {
        static let setMode = 0, setPosition = 2, setTransform = 3, setScale = 4
    }

    /// Opens the compositor of the session; nil without Wayland or without the protocol.
    static func open(
        _ session: DisplaySession, receiver: @escaping DisplayServerReceiver
    ) throws(DisplayServerError) -> (any DisplayServer)? {
        guard let connection = try WaylandConnection(session) else { return nil }
        if connection.global("kde_output_management_v2") != nil {
            throw DisplayServerError(rotatingDesktop: "KDE Plasma (KWin)")
        }
        if let desktop = connection.compositor.rotator(environment: session.environment) {
            throw DisplayServerError(rotatingDesktop: desktop)
        }
        guard let global = connection.global("zwlr_output_manager_v1") else { return nil }
        return try WlrServer(session, connection, global, receiver)
    }

    private init(
        _ session: DisplaySession, _ connection: WaylandConnection, _ global: WaylandGlobal,
        _ receiver: @escaping DisplayServerReceiver
    ) throws(DisplayServerError) {
        self.connection = connection
        self.receiver = receiver
        name = connection.compositor.name
        do throws(SystemError) {
            timer = try session.loop.timer { [unowned self] in timedOut() }
        } catch {
            throw DisplayServerError("\(name): \(error)")
        }
        if name == "sway" {
            input = SwayInput(session, process: connection.compositor.process) { [weak self] in self?.deliver($0) }
        }
        if session.reportsFrontWindow {
            frontWindow = try FrontWindowReporter(session, connection) { [weak self] in
                self?.deliver($0)
            } reported: { [weak self] in
                self?.bind(global)
            }
        } else {
            bind(global)
        }
        try connection.start(for: self)
    }

    private func bind(_ global: WaylandGlobal) {
        manager = connection.bind(global, cwayland_wlr_output_manager(), atMost: Self.version) {
            [unowned self] opcode, arguments in
            receive(opcode, arguments)
        }
        connection.flush()
    }

    private func receive(_ opcode: Int, _ arguments: WaylandArguments) {
        switch opcode {
        case Manager.head:
            guard let proxy = arguments.proxy(0) else { return }
            heads.append(
                WlrHead(proxy, on: connection) { [unowned self] head in heads.removeAll { $0 === head } })
            if heads.count > WaylandLimit.outputs {
                end("\(name) has more than \(WaylandLimit.outputs) outputs")
            }
        case Manager.done:
            serial = arguments.unsigned(0)
            for head in heads { head.update() }
            update { $0.reported(heads.filter(\.isComplete).map(\.output)) }
        case Manager.finished:
            end("\(name) ended its output management")
        default: break
        }
    }

    func apply(_ outputs: [Output]) {
        guard !isEnded else { return }
        update { $0.sent(outputs) }
        send(outputs)
    }

    private func send(_ outputs: [Output]) {
        configuration?.destroy(Configuration.destroy)
        configuration = manager?.create(
            cwayland_wlr_output_configuration(), Manager.createConfiguration, .new, .unsigned(serial)
        ) { [unowned self] opcode, _ in finish(opcode) }
        guard let configuration else { return }
        for head in heads {
            guard let object = head.object else { continue }
            let output = outputs.first { $0.name == head.output.name } ?? head.output
            guard head.output.isEnabled,
                let item = configuration.create(
                    cwayland_wlr_output_configuration_head(), Configuration.enableHead, .new, .object(object))
            else {
                configuration.send(Configuration.disableHead, .object(object))
                continue
            }
            if let mode = head.mode { item.send(ConfigurationHead.setMode, .object(mode)) }
            item.send(ConfigurationHead.setPosition, .int(output.position.x), .int(output.position.y))
            item.send(ConfigurationHead.setTransform, .int(addedRotations.transform(for: output).rawValue))
            item.send(ConfigurationHead.setScale, .fixed(head.output.scale))
        }
        configuration.send(Configuration.apply)
        connection.flush()
    }

    private func finish(_ opcode: Int) {
        configuration?.destroy(Configuration.destroy)
        configuration = nil
        switch opcode {
        case Configuration.succeeded: update { $0.accepted() }
        case Configuration.failed: update { $0.refused(.failed("\(name) refused the configuration of its outputs")) }
        case Configuration.cancelled: update { $0.refused(.outdated) }
        default: break
        }
        connection.flush()
    }

    func alignInput(with output: Output) {
        guard !isEnded else { return }
        input?.align(with: output, among: reporter.outputs ?? [])
        if let advice = connection.compositor.inputAdvice(output.name) { deliver(.inputAdvice(advice)) }
    }

    // MARK: Events

    /// Changes the reporter, and performs the steps that follow.
    private func update(_ change: (inout OutputReporter) -> [OutputReporter.Step]) {
        guard !isEnded else { return }
        for step in change(&reporter) {
            switch step {
            case .deliver(let event): deliver(event)
            case .synchronize: connection.synchronize { [weak self] in self?.synchronized() }
            case .startTimer(let seconds): timer?.fire(after: seconds)
            case .stopTimer: timer?.pause()
            }
        }
    }

    /// The compositor has handled an accepted configuration.
    private func synchronized() {
        if name == "niri", addedRotations.learn(from: reporter.unmet), let requested = reporter.requested {
            return apply(requested)
        }
        update { $0.synchronized() }
    }

    /// The compositor has not reported an accepted configuration in time.
    private func timedOut() {
        addedRotations.forget(reporter.unmet)
        update { $0.timedOut(name) }
    }

    /// Delivers an event, unless the server has ended.
    private func deliver(_ event: DisplayEvent) {
        if case .ended(let reason) = event { return end(reason) }
        if !isEnded { receiver(event) }
    }

    func globalAdded(_ global: WaylandGlobal) { frontWindow?.globalAdded(global) }

    func globalRemoved(_ global: WaylandGlobal) { frontWindow?.globalRemoved(global) }

    /// The connection has ended, or cannot be used any more; nothing follows.
    func end(_ reason: String) {
        manager = nil
        guard !isEnded else { return }
        timer?.pause()
        connection.stop()
        isEnded = true
        receiver(.ended(reason))
    }
}

extension DisplayServerKind {
    /// Compositors with wlr-output-management.
    static let wlr = DisplayServerKind(name: "wlr-output-management", open: WlrServer.open)
}
