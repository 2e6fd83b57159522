// SPDX-License-Identifier: Apache-2.0

internal import CWayland

/// Observes a ``KWinDevice``.
protocol KWinDeviceObserver: AnyObject {
    /// A group of changes is complete.
    func deviceChanged()
    func deviceRemoved(_ device: KWinDevice)
}

/// An output device of KWin, with its modes.
final class KWinDevice {
    /// The output after the last group of changes.
    private(set) var output = Output(name: "", isEnabled: false)
    /// Whether all properties were received once.
    private(set) var isComplete = false
    private(set) var object: WaylandObject?
    /// The name of its global; nil if the registry announced it.
    let global: UInt32?
    private var next = Output(name: "", isEnabled: false)
    private var capabilities: UInt32 = 0
    private var policy: UInt32 = 0
    private var modes: [KWinMode] = []
    private var mode: KWinMode?
    private unowned let connection: WaylandConnection
    private unowned let observer: any KWinDeviceObserver

    /// The highest version of a device that is a global; the registry announces those of later versions.
    private static let version: UInt32 = 20

    private enum Event {
        static let geometry = 0, currentMode = 1, mode = 2, done = 3, scale = 4, enabled = 6, capabilities = 10
        static let name = 14, autoRotatePolicy = 18, removed = 36
    }
    private static let release = 0
    /// The capability, and the policy under which it has no effect.
    private static let autoRotate: UInt32 = 0x20, never: UInt32 = 0

    /// Binds a device that is a global.
    init(_ global: WaylandGlobal, on connection: WaylandConnection, observer: any KWinDeviceObserver) {
        self.connection = connection
        self.observer = observer
        self.global = global.name
        object = connection.bind(global, cwayland_kde_output_device(), atMost: Self.version) {
            [unowned self] opcode, arguments in receive(opcode, arguments)
        }
    }

    /// Adopts a device that the registry announced.
    init(_ proxy: OpaquePointer, on connection: WaylandConnection, observer: any KWinDeviceObserver) {
        self.connection = connection
        self.observer = observer
        global = nil
        object = connection.adopt(proxy) { [unowned self] opcode, arguments in receive(opcode, arguments) }
    }

    /// Whether KWin rotates the output by itself, always or in tablet mode. The user sets this in the system settings.
    var rotatesAutomatically: Bool { capabilities & Self.autoRotate != 0 && policy != Self.never }

    private func receive(_ opcode: Int, _ arguments: WaylandArguments) {
        switch opcode {
        case Event.geometry:
            next.position = LayoutPoint(x: arguments.int(0), y: arguments.int(1))
            let names = [arguments.text(5), arguments.text(6)].filter { !$0.isEmpty }
            next.label = names.isEmpty ? nil : names.joined(separator: " ")
            next.transform = OutputTransform(rawValue: arguments.int(7)) ?? .normal
        case Event.currentMode:
            let proxy = arguments.proxy(0)
            mode = modes.first { $0.object?.proxy == proxy }
        case Event.mode:
            guard let proxy = arguments.proxy(0) else { return }
            let new = KWinMode(proxy, on: connection) { [unowned self] in remove($0) }
            // Releasing it destroys the object.
            if modes.count < WaylandLimit.modes { modes.append(new) }
        case Event.scale: next.scale = arguments.fixed(0)
        case Event.enabled: next.isEnabled = arguments.int(0) != 0
        case Event.capabilities: capabilities = arguments.unsigned(0)
        case Event.name: next.name = arguments.text(0)
        case Event.autoRotatePolicy: policy = arguments.unsigned(0)
        case Event.done:
            next.mode = next.isEnabled ? mode?.size : nil
            // KWin before 5.25 sends no name.
            if next.name.isEmpty { next.name = next.label ?? "" }
            output = next
            isComplete = true
            observer.deviceChanged()
        case Event.removed:
            object?.destroy(Self.release)
            observer.deviceRemoved(self)
        default: break
        }
    }

    private func remove(_ gone: KWinMode) {
        modes.removeAll { $0 === gone }
        if mode === gone { mode = nil }
    }
}

/// A mode of an output device.
private final class KWinMode {
    private(set) var size = PixelSize(width: 0, height: 0)
    private(set) var object: WaylandObject?

    private enum Event {
        static let size = 0, removed = 3
    }

    init(_ proxy: OpaquePointer, on connection: WaylandConnection, removed: @escaping (KWinMode) -> Void) {
        object = connection.adopt(proxy) { [unowned self] opcode, arguments in
            switch opcode {
            case Event.size: size = PixelSize(width: arguments.int(0), height: arguments.int(1))
            case Event.removed: removed(self)
            default: break
            }
        }
    }
}
