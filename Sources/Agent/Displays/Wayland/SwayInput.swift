// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Systemd
internal import Varlink

/// Maps touch screens and pens to the rotated output with sway's IPC: sway rotates the input of mapped devices only. Reports
/// outputs that are turned off, too: wlr-output-power-management has one client, which is the program that turns them off.
final class SwayInput {
    private let session: DisplaySession
    private let process: Int32?
    private let receiver: DisplayServerReceiver
    private var connection: SwayConnection?
    private var dark: Set<String> = []
    private var target: (name: String, isOnly: Bool)?
    /// Whether a failure to connect was logged since the last connection.
    private var hasWarned = false

    init(_ session: DisplaySession, process: Int32?, _ receiver: @escaping DisplayServerReceiver) {
        self.session = session
        self.process = process
        self.receiver = receiver
    }

    /// Maps touch screens and pens to an output.
    func align(with output: Output, among outputs: [Output]) {
        target = (output.name, !outputs.contains { $0.isEnabled && $0.name != output.name })
        guard let connection = connection ?? connect() else { return }
        connection.send(.inputs)
    }

    private func connect() -> SwayConnection? {
        let (new, failures) = SwayConnection.open(session, process: process) { [unowned self] in receive($0) }
        if !failures.isEmpty, !hasWarned {
            session.log.warning("sway: cannot map touch screens and pens: \(failures.joined(separator: "; "))")
        }
        (connection, hasWarned) = (new, !failures.isEmpty)
        // Clears the connection if this fails. Reloads are among the events of workspaces.
        new?.send(.subscribe(.inputs))
        new?.send(.subscribe(.workspaces))
        new?.send(.subscribe(.outputs))
        // They may be off already.
        new?.send(.outputs)
        return connection
    }

    private func receive(_ event: SwayConnection.Event) {
        switch event {
        case .inputs(let devices):
            guard let target else { return }
            for device in SwayDevice.belonging(to: target.isOnly, among: devices) {
                connection?.send(.command(device.mapCommand(to: target.name)))
            }
        case .refused(let reason): session.log.warning("sway: cannot map a touch screen or pen: \(reason)")
        case .inputChanged: receiver(.inputChanged)
        case .outputChanged: connection?.send(.outputs)
        case .darkOutputs(let new):
            if new != dark { receiver(.darkOutputs(new)) }
            dark = new
        case .reloaded: receiver(.reloaded)
        case .workspaceChanged: break
        // The Wayland connection reports the end of sway; otherwise the next rotation connects again.
        case .ended(let reason):
            connection = nil
            // It is not known whether they are still off.
            if !dark.isEmpty { receiver(.darkOutputs([])) }
            dark = []
            session.log.debug("sway: input connection ended: \(reason)")
        }
    }
}

/// An input device of sway's `get_inputs`.
struct SwayDevice: Hashable {
    var identifier: String
    /// `touch`, `tablet_tool` and others.
    var type: String
    /// The USB or I2C numbers of vendor and product; nil if unknown.
    var hardware: [Int64]?

    /// Reads the devices of a reply; nil for another shape.
    static func parse(_ reply: JSONValue) -> [SwayDevice]? {
        guard case .array(let items) = reply else { return nil }
        return items.compactMap { item in
            guard case .object(let object) = item, case .string(let identifier)? = object["identifier"],
                case .string(let type)? = object["type"]
            else { return nil }
            var device = SwayDevice(identifier: identifier, type: type)
            if case (.integer(let vendor)?, .integer(let product)?) = (object["vendor"], object["product"]) {
                device.hardware = [vendor, product]
            }
            return device
        }
    }

    /// The touch screens and pens that are part of the rotated output.
    ///
    /// sway does not know where a device is attached. If the output is the only one, all touch screens are its; beside
    /// other outputs, which may be touch screens themselves, only a single one. A pen is part of the device if it has the
    /// vendor and product of such a touch screen, or if it is the only one and there is no touch screen: an external drawing
    /// tablet must not rotate.
    static func belonging(to isOnlyOutput: Bool, among devices: [SwayDevice]) -> [SwayDevice] {
        let screens = devices.filter { $0.type == "touch" }, pens = devices.filter { $0.type == "tablet_tool" }
        let touch = isOnlyOutput || screens.count == 1 ? screens : []
        let hardware = Set(touch.compactMap(\.hardware))
        if screens.isEmpty { return pens.count == 1 ? pens : [] }
        return touch + pens.filter { $0.hardware.map(hardware.contains) ?? false }
    }

    func mapCommand(to output: String) -> String {
        "input \(Self.quoted(identifier)) map_to_output \(Self.quoted(output))"
    }

    /// Quotes a word for sway's commands.
    private static func quoted(_ word: String) -> String {
        var result = "\""
        for character in word.unicodeScalars where character.value >= 0x20 {
            if character == "\"" || character == "\\" { result += "\\" }
            result.unicodeScalars.append(character)
        }
        return result + "\""
    }
}
