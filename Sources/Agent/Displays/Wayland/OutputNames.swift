// SPDX-License-Identifier: Apache-2.0

internal import CWayland

/// The names of a compositor's outputs by their `wl_output` objects, which windows refer to.
final class OutputNames {
    private var outputs: [Entry] = []
    private let connection: WaylandConnection

    private final class Entry {
        let global: UInt32
        var object: WaylandObject?
        var name: String?

        init(_ global: UInt32) { self.global = global }
    }

    private static let interface = "wl_output"
    /// The first version that has names.
    private static let version: UInt32 = 4
    private static let nameEvent = 4, release = 0

    init(_ connection: WaylandConnection) {
        self.connection = connection
        for global in connection.globals { add(global) }
    }

    func add(_ global: WaylandGlobal) {
        guard global.interface == Self.interface, global.version >= Self.version,
            outputs.count < WaylandLimit.outputs
        else { return }
        let entry = Entry(global.name)
        entry.object = connection.bind(global, cwayland_output(), atMost: Self.version) {
            [unowned entry] opcode, arguments in
            if opcode == Self.nameEvent { entry.name = arguments.text(0) }
        }
        outputs.append(entry)
    }

    /// Releases the output of a global that was withdrawn; returns its name, nil if it is not an output or has no name.
    func remove(_ global: WaylandGlobal) -> String? {
        guard let index = outputs.firstIndex(where: { $0.global == global.name }) else { return nil }
        let entry = outputs.remove(at: index)
        entry.object?.destroy(Self.release)
        return entry.name
    }

    /// The name of an output; nil if it is unknown.
    subscript(proxy: OpaquePointer?) -> String? {
        guard let proxy else { return nil }
        return outputs.first { $0.object?.proxy == proxy }?.name
    }
}
