// SPDX-License-Identifier: Apache-2.0

internal import CWayland

/// A head of wlr-output-management: an output with its modes.
final class WlrHead {
    private(set) var output = Output(name: "", isEnabled: false)
    private(set) var object: WaylandObject?
    private var modes: [OpaquePointer: (object: WaylandObject, size: PixelSize)] = [:]
    private var current: OpaquePointer?
    private var (make, model, summary): (String?, String?, String?)
    private unowned let connection: WaylandConnection
    private let finished: (WlrHead) -> Void

    private enum Event {
        static let name = 0, description = 1, mode = 3, enabled = 4, currentMode = 5, position = 6, transform = 7
        static let scale = 8, finished = 9, make = 10, model = 11
    }
    private enum ModeEvent {
        static let size = 0, finished = 3
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

    /// The current mode; nil while disabled.
    var mode: WaylandObject? { current.flatMap { modes[$0]?.object } }

    private func receive(_ opcode: Int, _ arguments: WaylandArguments) {
        switch opcode {
        case Event.name: output.name = arguments.text(0)
        case Event.description: summary = arguments.text(0)
        case Event.make: make = arguments.text(0)
        case Event.model: model = arguments.text(0)
        case Event.mode:
            guard let proxy = arguments.proxy(0) else { return }
            let object = connection.adopt(proxy) { [unowned self] opcode, arguments in
                receive(opcode, arguments, ofMode: proxy)
            }
            // Releasing it destroys the object.
            if modes.count < WaylandLimit.modes { modes[proxy] = (object, PixelSize(width: 0, height: 0)) }
        case Event.enabled:
            output.isEnabled = arguments.int(0) != 0
            if !output.isEnabled { current = nil }
        case Event.currentMode: current = arguments.proxy(0)
        case Event.position: output.position = LayoutPoint(x: arguments.int(0), y: arguments.int(1))
        case Event.transform: output.transform = OutputTransform(rawValue: arguments.int(0)) ?? .normal
        case Event.scale: output.scale = arguments.fixed(0)
        case Event.finished:
            if let object, object.version >= 3 { object.destroy(Self.release) }
            finished(self)
        default: break
        }
    }

    private func receive(_ opcode: Int, _ arguments: WaylandArguments, ofMode proxy: OpaquePointer) {
        switch opcode {
        case ModeEvent.size: modes[proxy]?.size = PixelSize(width: arguments.int(0), height: arguments.int(1))
        case ModeEvent.finished:
            if let mode = modes.removeValue(forKey: proxy)?.object, mode.version >= 3 { mode.destroy(Self.release) }
            if current == proxy { current = nil }
        default: break
        }
    }

    /// Completes the output after the manager's `done`.
    func update() {
        output.mode = output.isEnabled ? current.flatMap { modes[$0]?.size } : nil
        let names = [make, model].compactMap { $0 }.filter { !$0.isEmpty && $0 != "Unknown" }
        output.label = names.isEmpty ? summary : names.joined(separator: " ")
    }
}
