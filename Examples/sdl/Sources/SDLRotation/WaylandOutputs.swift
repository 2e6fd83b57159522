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

    private struct Entry {
        /// The name of the global, a number.
        let name: UInt32
        let proxy: OpaquePointer
        var current = Output()
        /// The properties that were received since the last `done`, and the others.
        var received = Output()
    }

    /// Called after the outputs have changed.
    var onChange: (() -> Void)?
    private var entries: [Entry] = []

    /// Reads the outputs on a connection, a `wl_display`, whose events keep the object from now on.
    init(_ connection: OpaquePointer) {
        wl_registry_add_listener(
            wl_display_get_registry(connection), registryListener, Unmanaged.passRetained(self).toOpaque())
        // The first roundtrip returns the outputs, the second one their properties.
        wl_display_roundtrip(connection)
        wl_display_roundtrip(connection)
    }

    /// The outputs in the order in which the compositor has announced them.
    var all: [Output] { entries.map(\.current) }

    fileprivate func add(_ registry: OpaquePointer?, _ name: UInt32, _ interface: String, _ version: UInt32) {
        guard interface == "wl_output", let proxy = bind_output(registry, name, min(version, 4)) else { return }
        entries.append(Entry(name: name, proxy: proxy))
        wl_output_add_listener(proxy, outputListener, Unmanaged.passUnretained(self).toOpaque())
    }

    fileprivate func remove(_ name: UInt32) {
        guard let index = entries.firstIndex(where: { $0.name == name }) else { return }
        release_output(entries.remove(at: index).proxy)
        onChange?()
    }

    fileprivate func receive(_ proxy: OpaquePointer?, _ change: (inout Output) -> Void) {
        guard let index = entries.firstIndex(where: { $0.proxy == proxy }) else { return }
        change(&entries[index].received)
    }

    /// Sets all properties of an output together.
    fileprivate func commit(_ proxy: OpaquePointer?) {
        guard let index = entries.firstIndex(where: { $0.proxy == proxy }) else { return }
        entries[index].current = entries[index].received
        onChange?()
    }
}

/// Calls `body` with the object and the proxy of an event.
private nonisolated func outputs(
    _ data: UnsafeMutableRawPointer?, _ proxy: OpaquePointer?,
    _ body: @MainActor (WaylandOutputs, OpaquePointer?) -> Void
) {
    guard let data else { return }
    let object = Unmanaged<WaylandOutputs>.fromOpaque(data)
    nonisolated(unsafe) let proxy = proxy
    MainActor.assumeIsolated { body(object.takeUnretainedValue(), proxy) }
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
            let interface = interface.map { String(cString: $0) } ?? ""
            outputs(data, registry) { $0.add($1, name, interface, version) }
        },
        global_remove: { data, registry, name in outputs(data, registry) { outputs, _ in outputs.remove(name) } }))

private let outputListener = permanent(
    wl_output_listener(
        geometry: { data, proxy, _, _, _, _, _, _, _, transform in
            outputs(data, proxy) { $0.receive($1) { $0.transform = Int(transform) } }
        },
        mode: { _, _, _, _, _, _ in },
        done: { data, proxy in outputs(data, proxy) { $0.commit($1) } },
        scale: { _, _, _ in },
        name: { data, proxy, name in
            let name = name.map { String(cString: $0) }
            outputs(data, proxy) { $0.receive($1) { $0.name = name } }
        },
        description: { _, _, _ in }))
