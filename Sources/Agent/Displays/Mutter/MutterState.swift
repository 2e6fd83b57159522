// SPDX-License-Identifier: Apache-2.0

internal import Systemd

/// The reply to `GetCurrentState` of `org.gnome.Mutter.DisplayConfig`.
struct MutterState: Hashable, Sendable {
    /// The number that a configuration must name; it changes with the monitors.
    var serial: UInt32
    var monitors: [Monitor] = []
    var logicalMonitors: [LogicalMonitor] = []
    /// Whether positions are in pixels, so that the scale has no effect on them.
    var isPhysicalLayout = false
    /// Whether a configuration may name the layout mode.
    var canSetLayoutMode = false

    struct Monitor: Hashable, Sendable {
        var connector: String
        /// The manufacturer and the model.
        var label: String
        /// The current mode; nil while it is off.
        var mode: Mode?
    }

    struct Mode: Hashable, Sendable {
        var identifier: String
        var size: PixelSize
    }

    /// A rectangle of the layout, which one or more monitors show.
    struct LogicalMonitor: Hashable, Sendable {
        var position: LayoutPoint
        var scale: Double
        var transform: OutputTransform
        var isPrimary: Bool
        var connectors: [String]
    }

    /// The limits on what a reply may list: more is an error of the sender.
    fileprivate enum Limit {
        static let monitors = 64
        static let modes = 4_096
        static let properties = 256
    }

    /// The value of the property `layout-mode` for positions in pixels.
    private static let physicalLayout: UInt32 = 2

    /// Parses a reply; nil if it has another structure.
    init?(_ reply: borrowing BusMessage) {
        guard let serial = reply.readUnsigned() else { return nil }
        self.serial = serial
        guard
            reply.readArray(
                "((ssss)a(siiddada{sv})a{sv})", atMost: Limit.monitors,
                { reply in
                    guard let monitor = Monitor(reply) else { return false }
                    monitors.append(monitor)
                    return true
                }),
            reply.readArray(
                "(iiduba(ssss)a{sv})", atMost: Limit.monitors,
                { reply in
                    guard let monitor = LogicalMonitor(reply) else { return false }
                    logicalMonitors.append(monitor)
                    return true
                }), let properties = reply.readProperties(atMost: Limit.properties)
        else { return nil }
        isPhysicalLayout = properties["layout-mode"] == .unsigned(Self.physicalLayout)
        canSetLayoutMode = properties["supports-changing-layout-mode"] == .boolean(true)
    }

    /// Creates a state without monitors.
    init(serial: UInt32) {
        self.serial = serial
    }
}

extension MutterState.Monitor {
    /// Parses a monitor: its names, its modes and its properties.
    fileprivate init?(_ reply: borrowing BusMessage) {
        guard reply.enter("r", "(ssss)a(siiddada{sv})a{sv}"), let names = reply.readNames() else { return nil }
        connector = names[0]
        label = names[1...2].filter { !$0.isEmpty }.joined(separator: " ")
        guard
            reply.readArray(
                "(siiddada{sv})", atMost: MutterState.Limit.modes,
                { reply in
                    guard reply.enter("r", "siiddada{sv}"), let identifier = reply.readString(),
                        let width = reply.readInteger(), let height = reply.readInteger(), reply.skip("ddad"),
                        let properties = reply.readProperties(atMost: MutterState.Limit.properties), reply.exit()
                    else { return false }
                    if properties["is-current"] == .boolean(true) {
                        mode = MutterState.Mode(
                            identifier: identifier, size: PixelSize(width: Int(width), height: Int(height)))
                    }
                    return true
                }), let properties = reply.readProperties(atMost: MutterState.Limit.properties), reply.exit()
        else { return nil }
        if case .string(let name)? = properties["display-name"], !name.isEmpty { label = name }
    }
}

extension MutterState.LogicalMonitor {
    /// Parses a logical monitor.
    fileprivate init?(_ reply: borrowing BusMessage) {
        guard reply.enter("r", "iiduba(ssss)a{sv}"), let x = reply.readInteger(), let y = reply.readInteger(),
            let scale = reply.readDouble(), scale > 0, scale.isFinite, let number = reply.readUnsigned(),
            let transform = OutputTransform(rawValue: Int(number)), let isPrimary = reply.readBoolean()
        else { return nil }
        position = LayoutPoint(x: Int(x), y: Int(y))
        self.scale = scale
        self.transform = transform
        self.isPrimary = isPrimary
        connectors = []
        guard
            reply.readArray(
                "(ssss)", atMost: MutterState.Limit.monitors,
                { reply in
                    guard let names = reply.readNames() else { return false }
                    connectors.append(names[0])
                    return true
                }), reply.skip("a{sv}"), reply.exit()
        else { return nil }
    }
}

extension BusMessage {
    /// Reads the names of a monitor: connector, manufacturer, model, serial number.
    fileprivate func readNames() -> [String]? {
        guard enter("r", "ssss") else { return nil }
        var names: [String] = []
        for _ in 0..<4 {
            guard let name = readString() else { return nil }
            names.append(name)
        }
        return exit() ? names : nil
    }
}

extension MutterState {
    /// The outputs, in the order of the reply. With positions in pixels, their scale is 1.
    var outputs: [Output] {
        monitors.map { monitor in
            guard let mode = monitor.mode, let place = logicalMonitor(of: monitor.connector) else {
                return Output(name: monitor.connector, label: monitor.label, isEnabled: false)
            }
            return Output(
                name: monitor.connector, label: monitor.label, transform: place.transform, mode: mode.size,
                scale: isPhysicalLayout ? 1 : place.scale, position: place.position)
        }
    }

    private func logicalMonitor(of connector: String) -> LogicalMonitor? {
        logicalMonitors.first { $0.connectors.contains(connector) }
    }

    /// The logical monitors with the transforms and positions of these outputs. If monitors mirror each other, the
    /// changed output determines the result.
    func logicalMonitors(for outputs: [Output]) -> [LogicalMonitor] {
        logicalMonitors.map { old in
            var new = old
            for output in outputs where output.isEnabled && old.connectors.contains(output.name) {
                if output.transform != old.transform { new.transform = output.transform }
                if output.position != old.position { new.position = output.position }
            }
            return new
        }
    }

    /// Appends the arguments of `ApplyMonitorsConfig`.
    func append(_ logicalMonitors: [LogicalMonitor], to call: borrowing BusMessage) {
        call.append(.unsigned(serial))
        call.append(.unsigned(Self.temporarily))
        call.within("a", "(iiduba(ssa{sv}))") {
            for logical in logicalMonitors {
                call.within("r", "iiduba(ssa{sv})") {
                    call.append(.integer(Int32(clamping: logical.position.x)))
                    call.append(.integer(Int32(clamping: logical.position.y)))
                    call.append(.double(logical.scale))
                    call.append(.unsigned(UInt32(logical.transform.rawValue)))
                    call.append(.boolean(logical.isPrimary))
                    call.within("a", "(ssa{sv})") {
                        for monitor in monitors where logical.connectors.contains(monitor.connector) {
                            guard let mode = monitor.mode else { continue }
                            call.within("r", "ssa{sv}") {
                                call.append(.string(monitor.connector))
                                call.append(.string(mode.identifier))
                                call.append([])
                            }
                        }
                    }
                }
            }
        }
        // Otherwise mutter takes the default layout mode instead of the current one.
        call.append(canSetLayoutMode ? [("layout-mode", .unsigned(isPhysicalLayout ? Self.physicalLayout : 1))] : [])
    }

    /// The method `temporary`: the configuration is not saved and needs no confirmation.
    private static let temporarily: UInt32 = 1
}
