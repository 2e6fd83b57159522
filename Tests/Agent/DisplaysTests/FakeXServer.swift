// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An X server with one output, one window and one touch screen, for one client, on a thread of its own. A test changes the
/// bytes of its replies.
nonisolated final class FakeXServer: @unchecked Sendable {
    /// A reply of the server.
    enum Reply: Hashable {
        case setup, queryExtension, atom, inputFocus, geometry, coordinates, attributes
        case property(format: UInt8)
        case randrVersion, sizeRange, resources, controller, output, configuration
        case inputVersion, devices, deviceProperty
    }

    /// The value of DISPLAY for the client.
    let display: String
    private let path: String
    private let edit: (Reply, inout [UInt8]) -> Void
    private let ended = DispatchSemaphore(value: 0)
    // Used by the thread only.
    private var atoms: [String] = []
    private var sequence: UInt16 = 0

    private static let randr: UInt8 = 140, input: UInt8 = 131

    /// Listens. `edit` changes a reply before it is sent, on the server's thread; it may wait.
    init(_ edit: @escaping @Sendable (Reply, inout [UInt8]) -> Void = { _, _ in }) throws {
        self.edit = edit
        let listener: Int32
        (listener, display, path) = try XSocket.listen()
        Thread.detachNewThread { [self] in
            let client = accept(listener, nil, nil)
            var messages = XMessages(of: client)
            while case let isSetUp = messages.isSetUp, let message = messages.next() {
                guard let (kind, reply) = isSetUp ? reply(to: message) : Self.setup() else { continue }
                var bytes = reply
                if isSetUp { bytes.replaceSubrange(2..<4, with: Self.bytes(sequence)) }
                edit(kind, &bytes)
                XSocket.send(bytes[...], to: client)
            }
            for descriptor in [client, listener] { close(descriptor) }
            ended.signal()
        }
    }

    deinit { unlink(path) }

    /// Whether the client closes the connection within a minute.
    func isClosedByClient() -> Bool { ended.wait(timeout: .now() + 60) == .success }

    private static func setup() -> (Reply, [UInt8]) {
        let screen: [UInt8] =
            words([1, 2, 0, 0, 0]) + halves([640, 400, 100, 80, 1, 1]) + words([3]) + [0, 0, 24, 0]
        let body: [UInt8] =
            words([0, 0x20_0000, 0x1f_ffff, 0]) + halves([0, 65_535]) + [1, 0, 0, 0, 32, 32, 8, 255]
            + words([0]) + screen
        return (.setup, [1, 0] + halves([11, 0, UInt16(body.count / 4)]) + body)
    }

    /// The reply to a request; nil if it has none.
    private func reply(to request: [UInt8]) -> (Reply, [UInt8])? {
        sequence += 1
        switch (request[0], request[1]) {
        case (3, _): return (.attributes, Self.reply(Self.words([0, 0, 0, 0, 2]), [UInt8](repeating: 0, count: 12)))
        case (14, _): return (.geometry, Self.reply(Self.words([1]) + Self.halves([0, 0, 640, 400])))
        case (16, _):
            let name = Self.text(request)
            if !atoms.contains(name) { atoms.append(name) }
            return (.atom, Self.reply(Self.words([UInt32(100 + (atoms.firstIndex(of: name) ?? 0))])))
        case (20, _): return property(request)
        case (40, _): return (.coordinates, Self.reply([]))
        case (43, _): return (.inputFocus, Self.reply([]))
        case (98, _):
            // Whether the server has it, its opcode, its first event and its first error.
            let found: [UInt8] =
                switch Self.text(request) {
                case "RANDR": [1, Self.randr, 89, 147]
                case "XInputExtension": [1, Self.input, 66, 129]
                default: [0, 0, 0, 0]
                }
            return (.queryExtension, Self.reply(found))
        case (Self.randr, 0): return (.randrVersion, Self.reply(Self.words([1, 5])))
        case (Self.randr, 6): return (.sizeRange, Self.reply(Self.halves([8, 8, 4_096, 4_096])))
        case (Self.randr, 9):
            let fixed = Self.words([0, 7, 100, 80]) + [0, 0] + Self.halves([1, 1, 0, 0, 6])
            return (.output, Self.reply(fixed, Self.words([7, 9]) + Array("screen".utf8) + [0, 0]))
        case (Self.randr, 20):
            let fixed = Self.words([0]) + Self.halves([0, 0, 640, 400]) + Self.words([9]) + Self.halves([1, 63, 1, 1])
            return (.controller, Self.reply(fixed, Self.words([8, 8])))
        case (Self.randr, 21): return (.configuration, Self.reply(Self.words([0])))
        case (Self.randr, 25):
            let mode = Self.words([9]) + Self.halves([640, 400]) + [UInt8](repeating: 0, count: 24)
            return (
                .resources, Self.reply(Self.words([0, 0]) + Self.halves([1, 1, 1, 0]), Self.words([7, 8]) + mode)
            )
        case (Self.input, 47): return (.inputVersion, Self.reply(Self.halves([2, 2])))
        case (Self.input, 48):
            let touch =
                Self.halves([5, 3, 2, 1, 4]) + [1, 0] + Array("test".utf8) + Self.halves([8, 2, 5]) + [1, 10]
            return (.devices, Self.reply(Self.halves([1]), touch))
        case (Self.input, 59):
            let matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap { (number: Float) in Self.bytes(number.bitPattern) }
            return (.deviceProperty, Self.reply(Self.words([1, 0, 9]) + [32], matrix))
        default: return nil
        }
    }

    /// The reply to GetProperty: the window with the focus, and its class.
    private func property(_ request: [UInt8]) -> (Reply, [UInt8]) {
        let atom = Int(request[8]) - 100
        let name = atoms.indices.contains(atom) ? atoms[atom] : request[8] == 67 ? "WM_CLASS" : ""
        let (format, value): (UInt8, [UInt8]) =
            switch name {
            case "_NET_SUPPORTED": (32, Self.words([UInt32(100 + (atoms.firstIndex(of: "_NET_ACTIVE_WINDOW") ?? 0))]))
            case "_NET_ACTIVE_WINDOW": (32, Self.words([0x40_0001]))
            case "WM_CLASS": (8, Array("a\0b\0".utf8))
            default: (0, [])
            }
        var reply = Self.reply(Self.words([1, 0, UInt32(format == 8 ? value.count : value.count / 4)]), value)
        reply[1] = format
        return (.property(format: format), reply)
    }

    /// A reply: its fixed part after the first 8 bytes, and what follows.
    private static func reply(_ fixed: [UInt8], _ more: [UInt8] = []) -> [UInt8] {
        var bytes: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0] + fixed
        bytes += [UInt8](repeating: 0, count: max(0, 32 - bytes.count)) + more
        bytes.replaceSubrange(4..<8, with: words([UInt32((bytes.count - 32) / 4)]))
        return bytes
    }

    private static func text(_ request: [UInt8]) -> String {
        String(decoding: request[8..<(8 + Int(request[4]))], as: UTF8.self)
    }

    private static func words(_ numbers: [UInt32]) -> [UInt8] { numbers.flatMap(bytes) }
    private static func halves(_ numbers: [UInt16]) -> [UInt8] { numbers.flatMap(bytes) }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number) { Array($0) }
    }
}
