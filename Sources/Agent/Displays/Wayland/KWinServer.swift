// SPDX-License-Identifier: Apache-2.0

internal import CWayland
internal import Systemd

/// KWin, with kde-output-device and kde-output-management.
final class KWinServer: DisplayServer {
    let name: String
    private let connection: WaylandConnection
    private let delivery: ReportDelivery
    private var management: WaylandObject?
    /// Announces the devices; nil with KWin before 6.7, where each is a global.
    private var registry: WaylandObject?
    private var devices: [KWinDevice] = []
    private var configuration: WaylandObject?
    private var failureReason: String?
    private var isRotating = false
    private var frontWindow: FrontWindowReporter?
    /// Whether KWin has sent all initial devices: it sends them one after the other.
    private var isListed = false

    /// The highest known versions of the interfaces.
    private enum Version {
        static let management: UInt32 = 12, registry: UInt32 = 21
    }
    private enum Management {
        static let createConfiguration = 0
    }
    private enum Registry {
        static let output = 1
    }
    private enum Configuration {
        static let transform = 2, position = 3, apply = 5, destroy = 6
        static let applied = 0, failed = 1, failureReason = 2
    }

    private static let deviceInterface = "kde_output_device_v2"

    /// Opens the compositor of the session; nil without Wayland or without the protocol.
    static func open(
        _ session: DisplaySession, receiver: @escaping DisplayServerReceiver
    ) throws(DisplayServerError) -> (any DisplayServer)? {
        guard let connection = try WaylandConnection(session),
            let global = connection.global("kde_output_management_v2")
        else { return nil }
        return try KWinServer(session, connection, global, receiver)
    }

    private init(
        _ session: DisplaySession, _ connection: WaylandConnection, _ global: WaylandGlobal,
        _ receiver: @escaping DisplayServerReceiver
    ) throws(DisplayServerError) {
        self.connection = connection
        name = connection.compositor.name
        delivery = try ReportDelivery(connection, session.loop, receiver)
        management = connection.bind(global, cwayland_kde_output_management(), atMost: Version.management)
        if let global = connection.global("kde_output_device_registry_v2"), global.version >= Version.registry {
            registry = connection.bind(global, cwayland_kde_output_device_registry(), atMost: Version.registry) {
                [unowned self] opcode, arguments in
                if opcode == Registry.output, let proxy = arguments.proxy(0) {
                    add(KWinDevice(proxy, on: connection, observer: self))
                }
            }
        } else {
            for global in connection.globals { globalAdded(global) }
        }
        try connection.observe(self)
        let listed: () -> Void = { [weak self] in
            self?.isListed = true
            self?.report()
        }
        if session.reportsFrontWindow {
            frontWindow = try FrontWindowReporter(
                session, connection, delivery, layout: { [unowned self] in devices.map(\.output) }, reported: listed)
        } else {
            connection.synchronize(listed)
        }
        connection.flush()
    }

    /// Adds a device; one beyond the limit is kept, and ends the connection with the next report.
    private func add(_ device: KWinDevice) {
        if devices.count <= WaylandLimit.outputs { devices.append(device) }
    }

    /// Reports the outputs once all are known.
    private func report() {
        guard !delivery.isEnded else { return }
        guard devices.count <= WaylandLimit.outputs else {
            return delivery.end(.lost("\(name) has more than \(WaylandLimit.outputs) outputs"))
        }
        guard isListed, devices.allSatisfy(\.isComplete) else { return }
        let rotates = devices.contains { $0.output.isEnabled && $0.rotatesAutomatically }
        if rotates != isRotating {
            isRotating = rotates
            delivery.deliver(.rotatedBy(rotates ? name : nil))
        }
        delivery.update { $0.reported(devices.map(\.output)) }
        frontWindow?.layoutChanged()
    }

    func apply(_ outputs: [Output]) {
        guard !delivery.isEnded else { return }
        delivery.update { $0.sent(outputs) }
        configuration?.destroy(Configuration.destroy)
        failureReason = nil
        configuration = management?.create(
            cwayland_kde_output_configuration(), Management.createConfiguration, .new
        ) { [unowned self] opcode, arguments in finish(opcode, arguments) }
        guard let configuration else { return }
        // KWin keeps what a configuration does not mention.
        for device in devices where device.output.isEnabled {
            guard let object = device.object, let output = outputs.first(where: { $0.name == device.output.name })
            else { continue }
            configuration.send(Configuration.transform, .object(object), .int(output.transform.rawValue))
            configuration.send(
                Configuration.position, .object(object), .int(output.position.x), .int(output.position.y))
        }
        configuration.send(Configuration.apply)
        connection.flush()
    }

    private func finish(_ opcode: Int, _ arguments: WaylandArguments) {
        if opcode == Configuration.failureReason {
            failureReason = arguments.text(0)
            return
        }
        configuration?.destroy(Configuration.destroy)
        configuration = nil
        switch opcode {
        case Configuration.applied: delivery.update { $0.accepted() }
        case Configuration.failed:
            let reason = failureReason.map { ": \($0)" } ?? ""
            delivery.update { $0.refused(.failed("\(name) refused the configuration of its outputs\(reason)")) }
        default: break
        }
        connection.flush()
    }

    /// KWin applies the transform of an output to its touch screens and pens.
    func alignInput(with _: Output) {}
}

extension KWinServer: KWinDeviceObserver {
    func deviceChanged() {
        report()
    }

    func deviceRemoved(_ device: KWinDevice) {
        devices.removeAll { $0 === device }
        report()
    }
}

extension KWinServer: WaylandObserver {
    func globalAdded(_ global: WaylandGlobal) {
        frontWindow?.globalAdded(global)
        guard global.interface == Self.deviceInterface, registry == nil else { return }
        add(KWinDevice(global, on: connection, observer: self))
        connection.flush()
    }

    func globalRemoved(_ global: WaylandGlobal) {
        frontWindow?.globalRemoved(global)
        guard let device = devices.first(where: { $0.global == global.name }) else { return }
        deviceRemoved(device)
    }

    func connectionEnded(_ last: DisplayEvent) {
        delivery.end(last)
    }
}

extension DisplayServerKind {
    /// KWin.
    static let kwin = DisplayServerKind(name: "kde-output-management", open: KWinServer.open)
}
