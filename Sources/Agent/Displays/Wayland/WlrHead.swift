// SPDX-License-Identifier: Apache-2.0

internal import CWayland

/// A head of wlr-output-management: an output with its modes.
final class WlrHead {
    private(set) var output = Output(name: "", isEnabled: false)
    /// The current mode; nil while disabled.
    private(set) var mode: WlrMode?
    private(set) var object: WaylandObject?
    private var modes: [WlrMode] = []
    private var (make, model, summary): (String?, String?, String?)
    private unowned let connection: WaylandConnection
    private let finished: (WlrHead) -> Void

    private enum Event {
        static let name = 0, description = 1, mode = 3, enabled = 4, currentMode = 5, position = 6, transform = 7
        static let scale = 8, finished = 9, make = 10, model = 11
    }
    private static let release = 0

    /// Adopts a head. `finished` is called when the compositor removes it.
    init(_ proxy: OpaquePointer, on connection: WaylandConnection, finished: @escaping (WlrHead) -> Void) {
        self.connection = connection
        self.finished = finished
        object = connection.adopt(proxy) { [unowned self] opcode, arguments in receive(opcode, arguments) }
    }

    /// Whether all needed properties are known.
    var isComplete: Bool { !output.name.isEmpty }

    private func receive(_ opcode: Int, _ arguments: WaylandArguments) {
        switch opcode {
        case Event.name: output.name = arguments.text(0)
        case Event.description: summary = arguments.text(0)
        case Event.make: make = arguments.text(0)
        case Event.model: model = arguments.text(0)
        case Event.mode:
            guard let proxy = arguments.proxy(0) else { return }
            let new = WlrMode(proxy, on: connection) { [unowned self] in remove($0) }
            // Releasing it destroys the object.
            if modes.count < WaylandLimit.modes { modes.append(new) }
        case Event.enabled:
            output.isEnabled = arguments.int(0) != 0
            if !output.isEnabled { mode = nil }
        case Event.currentMode:
            let proxy = arguments.proxy(0)
            mode = modes.first { $0.object?.proxy == proxy }
        case Event.position: output.position = LayoutPoint(x: arguments.int(0), y: arguments.int(1))
        case Event.transform: output.transform = OutputTransform(rawValue: arguments.int(0)) ?? .normal
        case Event.scale: output.scale = arguments.fixed(0)
        case Event.finished:
            if let object, object.version >= 3 { object.destroy(Self.release) }
            finished(self)
        default: break
        }
    }

    private func remove(_ gone: WlrMode) {
        modes.removeAll { $0 === gone }
        if mode === gone { mode = nil }
    }

    /// Completes the output after the manager's `done`.
    func update() {
        output.mode = output.isEnabled ? mode?.size : nil
        let names = [make, model].compactMap { $0 }.filter { !$0.isEmpty && $0 != "Unknown" }
        output.label = names.isEmpty ? summary : names.joined(separator: " ")
    }
}

final class WlrMode {
    private(set) var size = PixelSize(width: 0, height: 0)
    private(set) var object: WaylandObject?

    private enum Event {
        static let size = 0, finished = 3
    }
    private static let release = 0

    init(_ proxy: OpaquePointer, on connection: WaylandConnection, finished: @escaping (WlrMode) -> Void) {
        object = connection.adopt(proxy) { [unowned self] opcode, arguments in
            switch opcode {
            case Event.size: size = PixelSize(width: arguments.int(0), height: arguments.int(1))
            case Event.finished:
                if let object, object.version >= 3 { object.destroy(Self.release) }
                finished(self)
            default: break
            }
        }
    }
}
