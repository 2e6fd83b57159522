// SPDX-License-Identifier: Apache-2.0

import CWaylandOutput

/// The outputs of the Wayland compositor with their transforms, which toolkits do not report.
///
/// They are read on the connection of the toolkit, so that events arrive in its main loop.
final class WaylandOutputs {
    struct Output {
        var name: String?
        var transform: Int?
    }

    /// Called after the outputs have changed.
    var onChange: (() -> Void)?
    private var outputs: [UInt32: (current: Output, announced: Output)] = [:]

    /// Reads the outputs on a connection, a `wl_display`, of which the listener is never removed.
    init(_ connection: OpaquePointer) {
        wl_registry_add_listener(
            wl_display_get_registry(connection), registryListener, Unmanaged.passRetained(self).toOpaque())
        // The first trip returns the outputs, the second one their properties.
        wl_display_roundtrip(connection)
        wl_display_roundtrip(connection)
    }

    /// The outputs in the order in which the compositor has announced them.
    var all: [Output] { outputs.sorted { $0.key < $1.key }.map(\.value.current) }

    fileprivate func add(_ registry: OpaquePointer?, _ name: UInt32, _ interface: String, _ version: UInt32) {
        guard interface == "wl_output" else { return }
        let output = bind_output(registry, name, min(version, 4))
        outputs[name] = (Output(), Output())
        wl_output_add_listener(output, outputListener, Unmanaged.passRetained(Listener(self, name)).toOpaque())
    }

    fileprivate func remove(_ name: UInt32) {
        if outputs.removeValue(forKey: name) != nil { onChange?() }
    }

    fileprivate func set(_ name: UInt32, _ change: (inout Output) -> Void) {
        guard var output = outputs[name] else { return }
        change(&output.announced)
        outputs[name] = output
    }

    /// All properties of an output are set together.
    fileprivate func commit(_ name: UInt32) {
        guard let announced = outputs[name]?.announced else { return }
        outputs[name]?.current = announced
        onChange?()
    }
}

/// The user data of an output's listener.
private final class Listener {
    let outputs: WaylandOutputs
    let name: UInt32
    init(_ outputs: WaylandOutputs, _ name: UInt32) { (self.outputs, self.name) = (outputs, name) }
}

private nonisolated func outputs(_ data: UnsafeMutableRawPointer?, _ body: @MainActor (WaylandOutputs) -> Void) {
    nonisolated(unsafe) let data = data
    MainActor.assumeIsolated {
        guard let data else { return }
        body(Unmanaged<WaylandOutputs>.fromOpaque(data).takeUnretainedValue())
    }
}

private nonisolated func listener(_ data: UnsafeMutableRawPointer?, _ body: @MainActor (WaylandOutputs, UInt32) -> Void)
{
    nonisolated(unsafe) let data = data
    MainActor.assumeIsolated {
        guard let data else { return }
        let listener = Unmanaged<Listener>.fromOpaque(data).takeUnretainedValue()
        body(listener.outputs, listener.name)
    }
}

/// Returns a copy that is never released: libwayland keeps the address.
private func permanent<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    pointer.initialize(to: value)
    return pointer
}

private let registryListener = permanent(
    wl_registry_listener(
        global: { data, registry, name, interface, version in
            nonisolated(unsafe) let registry = registry
            let interface = interface.map { String(cString: $0) } ?? ""
            outputs(data) { $0.add(registry, name, interface, version) }
        },
        global_remove: { data, _, name in outputs(data) { $0.remove(name) } }))

private let outputListener = permanent(
    wl_output_listener(
        geometry: { data, _, _, _, _, _, _, _, _, transform in
            listener(data) { $0.set($1) { $0.transform = Int(transform) } }
        },
        mode: { _, _, _, _, _, _ in },
        done: { data, _ in listener(data) { $0.commit($1) } },
        scale: { _, _, _ in },
        name: { data, _, name in
            let name = name.map { String(cString: $0) }
            listener(data) { $0.set($1) { $0.name = name } }
        },
        description: { _, _, _ in }))
