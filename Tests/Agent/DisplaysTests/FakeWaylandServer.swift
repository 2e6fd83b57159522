// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The transport of a compositor of the tests, for one client, on a thread of its own. A subclass handles the requests.
nonisolated class FakeWaylandServer: @unchecked Sendable {
    let path: String
    let lock = NSRecursiveLock()
    // The lock guards the rest.
    /// The interface of each object, as the subclass names it.
    var interfaces: [UInt32: String] = [1: "display"]
    /// The globals: interface and version. Their names are their indices.
    var globals: [(interface: String, version: UInt32)] = []
    private let directory: TemporaryDirectory
    private let listener: Int32
    private let isSilent: Bool
    /// Whether the end of the client's requests is not noticed.
    private let ignoresEnd: Bool
    private var client: Int32 = -1
    private var registry: UInt32?
    private var lastServerObject: UInt32 = 0xFEFF_FFFF

    /// Listens. A silent compositor accepts connections and never replies.
    init(isSilent: Bool = false, ignoresEnd: Bool = false) throws {
        self.isSilent = isSilent
        self.ignoresEnd = ignoresEnd
        directory = try TemporaryDirectory()
        path = directory.path("wayland")
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard isBound == 0, listen(listener, 1) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Starts the thread, once the subclass is complete.
    func start() {
        Thread.detachNewThread { [self] in serve() }
    }

    var environment: [String: String] { ["WAYLAND_DISPLAY": path] }

    func close() { lock.withLock { _ = shutdown(client, Int32(SHUT_RDWR)) } }

    /// Makes sending fail for the client, with EPIPE, although its socket does not become readable; `ignoresEnd` is needed.
    func failSending() {
        for descriptor in 3..<Int32(1_024) {
            var address = sockaddr_un()
            var size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
            }
            let isOwn = withUnsafeBytes(of: address.sun_path) { $0.prefix { $0 != 0 }.elementsEqual(path.utf8) }
            if isKnown == 0, isOwn { shutdown(descriptor, Int32(SHUT_WR)) }
        }
    }

    /// Handles a request of an object that the subclass named.
    func handle(_: UInt32, _: String, _: Int, _: Reader) {}

    /// Handles the binding of a global.
    func bound(_: String, to _: UInt32) {}

    private func serve() {
        client = accept(listener, nil, nil)
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(client, &part, part.count)
            if count == 0, ignoresEnd { return }
            guard count > 0 else { break }
            bytes += part[..<count]
            while bytes.count >= 8 {
                let message = Reader(bytes)
                let size = Int(message.number(1) >> 16)
                guard bytes.count >= size else { break }
                lock.withLock {
                    if !isSilent {
                        handle(
                            message.number(0), Int(message.number(1) & 0xFFFF), Reader(Array(bytes[8..<size])))
                    }
                }
                bytes.removeFirst(size)
            }
        }
        Glibc.close(client)
        Glibc.close(listener)
    }

    private func handle(_ object: UInt32, _ opcode: Int, _ arguments: Reader) {
        let first = arguments.number(0)
        switch (interfaces[object] ?? "", opcode) {
        case ("display", 0):
            send(first, 0, .number(0))
            send(1, 1, .number(first))
        case ("display", 1):
            registry = first
            interfaces[first] = "registry"
            for index in globals.indices { announce(index) }
        case ("registry", 0):
            // name, interface, version, id
            bound(globals[Int(first)].interface, to: arguments.last)
        case (let interface, _): handle(object, interface, opcode, arguments)
        }
    }

    /// Announces a global.
    func announce(_ index: Int) {
        guard let registry else { return }
        let global = globals[index]
        send(registry, 0, .number(UInt32(index)), .text(global.interface), .number(global.version))
    }

    func newObject(_ interface: String) -> UInt32 {
        lastServerObject += 1
        interfaces[lastServerObject] = interface
        return lastServerObject
    }

    enum Argument {
        case number(UInt32)
        case signed(Int32)
        case text(String)
        case array([UInt32])
    }

    func send(_ object: UInt32, _ opcode: UInt16, _ arguments: Argument...) {
        var body: [UInt8] = []
        func append(_ number: UInt32) { withUnsafeBytes(of: number) { body += $0 } }
        for argument in arguments {
            switch argument {
            case .number(let number): append(number)
            case .signed(let number): append(UInt32(bitPattern: number))
            case .text(let text):
                append(UInt32(text.utf8.count + 1))
                body += text.utf8
                body += [UInt8](repeating: 0, count: 4 - text.utf8.count % 4)
            case .array(let numbers):
                append(UInt32(4 * numbers.count))
                for number in numbers { append(number) }
            }
        }
        var message: [UInt8] = []
        withUnsafeBytes(of: object) { message += $0 }
        withUnsafeBytes(of: UInt32(8 + body.count) << 16 | UInt32(opcode)) { message += $0 }
        message += body
        _ = Glibc.send(client, message, message.count, Int32(MSG_NOSIGNAL))
    }

    /// The arguments of a request.
    struct Reader {
        let bytes: [UInt8]

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func number(_ index: Int) -> UInt32 {
            guard bytes.count >= 4 * index + 4 else { return 0 }
            return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self) }
        }
        func signed(_ index: Int) -> Int32 { Int32(bitPattern: number(index)) }
        var last: UInt32 { number(bytes.count / 4 - 1) }
    }
}
