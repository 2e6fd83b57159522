// SPDX-License-Identifier: Apache-2.0

internal import CWayland
internal import Logging
internal import Systemd

/// Compositors with wlr-output-management: sway, labwc, phoc, niri, Hyprland, COSMIC, river, wayfire.
///
/// Every configuration names every head: compositors move or disable heads that it leaves out.
final class WlrServer: DisplayServer {
    let name: String
    private let session: DisplaySession
    private let connection: WaylandConnection
    private let receiver: DisplayServerReceiver
    private var manager: WaylandObject?
    private var heads: [WlrHead] = []
    private var serial: UInt32 = 0
    private var reporter = OutputReporter()
    private var timer: EventSource?
    /// The configuration whose result is not known yet.
    private var configuration: WaylandObject?
    /// By output: the rotation in degrees that the compositor adds to the one that it was sent, as niri adds the kernel's
    /// panel orientation.
    private var addedRotations: [String: Int] = [:]
    private var input: (any InputAligner)?

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
        guard let connection = try WaylandConnection(session),
            let global = connection.global("zwlr_output_manager_v1")
        else { return nil }
        return try WlrServer(session, connection, global, receiver)
    }

    private init(
        _ session: DisplaySession, _ connection: WaylandConnection, _ global: WaylandGlobal,
        _ receiver: @escaping DisplayServerReceiver
    ) throws(DisplayServerError) {
        self.session = session
        self.connection = connection
        self.receiver = receiver
        name = connection.compositor.name
        do throws(SystemError) {
            timer = try session.loop.timer { [unowned self] in perform(reporter.timedOut(name)) }
            input = try inputAligner(for: connection.compositor, session, receiver)
        } catch {
            throw DisplayServerError("\(connection.compositor.name): \(error)")
        }
        manager = connection.bind(global, cwayland_wlr_output_manager(), atMost: Self.version) {
            [unowned self] opcode, arguments in
            receive(opcode, arguments)
        }
        try connection.observe(self)
    }

    private func receive(_ opcode: Int, _ arguments: WaylandArguments) {
        switch opcode {
        case Manager.head:
            guard let proxy = arguments.proxy(0) else { return }
            heads.append(
                WlrHead(proxy, on: connection) { [unowned self] head in heads.removeAll { $0 === head } })
        case Manager.done:
            serial = arguments.unsigned(0)
            for head in heads { head.update() }
            if reporter.outputs == nil, let rotator = connection.compositor.rotator(environment: session.environment) {
                receiver(.rotatedBy(rotator))
            }
            perform(reporter.reported(heads.filter(\.isComplete).map(\.output)))
        case Manager.finished:
            manager = nil
            connectionEnded("\(name) ended its output management")
        default: break
        }
    }

    private func perform(_ steps: [OutputReporter.Step]) {
        for step in steps {
            switch step {
            case .deliver(let event): receiver(event)
            case .synchronize: connection.synchronize { [weak self] in self?.settle() }
            case .startTimer(let seconds): timer?.fire(after: seconds)
            case .stopTimer: timer?.pause()
            }
        }
    }

    /// Compares what an accepted configuration led to with what was requested.
    private func settle() {
        if name == "niri", learnAddedRotations(), let requested = reporter.requested { return apply(requested) }
        perform(reporter.synchronized())
    }

    /// Notes the rotation that the compositor added to each output; returns whether one was not known before.
    private func learnAddedRotations() -> Bool {
        var isNew = false
        for (reported, requested) in reporter.unmet {
            if reported.transform.isFlipped || requested.transform.isFlipped { continue }
            let known = addedRotations[reported.name] ?? 0
            let added = (reported.transform.rotation - requested.transform.rotation + known + 360) % 360
            // Corrected once: if it is still wrong after that, the difference is no constant.
            guard addedRotations[reported.name] == nil else { continue }
            addedRotations[reported.name] = added
            isNew = true
        }
        return isNew
    }

    func apply(_ outputs: [Output]) {
        perform(reporter.sent(outputs))
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
            if let mode = head.mode?.object { item.send(ConfigurationHead.setMode, .object(mode)) }
            item.send(ConfigurationHead.setPosition, .int(output.position.x), .int(output.position.y))
            item.send(ConfigurationHead.setTransform, .int(transform(of: output).rawValue))
            item.send(ConfigurationHead.setScale, .fixed(head.output.scale))
        }
        configuration.send(Configuration.apply)
        connection.flush()
    }

    /// The transform to send, so that the compositor reports the requested one.
    private func transform(of output: Output) -> OutputTransform {
        guard let added = addedRotations[output.name], !output.transform.isFlipped else { return output.transform }
        return OutputTransform(rawValue: (output.transform.rotation - added + 360) % 360 / 90) ?? output.transform
    }

    private func finish(_ opcode: Int) {
        configuration?.destroy(Configuration.destroy)
        configuration = nil
        switch opcode {
        case Configuration.succeeded: perform(reporter.accepted())
        case Configuration.failed:
            perform(reporter.refused(.failed("\(name) refused the configuration of its outputs")))
        case Configuration.cancelled: perform(reporter.refused(.outdated))
        default: break
        }
        connection.flush()
    }

    func alignInput(with output: Output) {
        input?.align(with: output, among: reporter.outputs ?? [])
    }
}

extension WlrServer: WaylandObserver {
    func globalAdded(_: WaylandGlobal) {}
    func globalRemoved(_: WaylandGlobal) {}

    func connectionEnded(_ reason: String) {
        timer?.pause()
        receiver(.ended(reason))
    }
}

extension DisplayServerKind {
    /// Compositors with wlr-output-management.
    static let wlr = DisplayServerKind(name: "wlr-output-management", open: WlrServer.open)
}
