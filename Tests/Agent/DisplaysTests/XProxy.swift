// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A socket in front of an X server, for one client, on threads of its own: it can make the server refuse the requests of
/// RandR that read CRTCs.
nonisolated final class XProxy: @unchecked Sendable {
    /// The value of DISPLAY for the client.
    let display: String
    private let path: String
    private let lock = NSLock()
    private var isRefusing = false
    private let randr: UInt8

    private static let getCrtcInfo: UInt8 = 20

    /// Listens for a client of the server with this number; `randr` is the major opcode of the extension.
    init(to number: String, randr: UInt8) throws {
        self.randr = randr
        let listener: Int32
        (listener, display, path) = try XSocket.listen()
        let server = try XSocket.connect(to: number)
        Thread.detachNewThread { [self] in
            let client = accept(listener, nil, nil)
            let copied = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                Self.copy(from: server, to: client)
                copied.signal()
            }
            forward(from: client, to: server)
            copied.wait()
            for descriptor in [client, server, listener] { Glibc.close(descriptor) }
        }
    }

    deinit { unlink(path) }

    /// Makes the server refuse to read CRTCs, or not any more.
    func refuse(_ isRefusing: Bool) { lock.withLock { self.isRefusing = isRefusing } }

    private static func copy(from source: Int32, to target: Int32) {
        var part = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(source, &part, part.count), count > 0 { XSocket.send(part[..<count], to: target) }
        shutdown(target, Int32(SHUT_RDWR))
    }

    private func forward(from client: Int32, to server: Int32) {
        var messages = XMessages(of: client)
        while case let isRequest = messages.isSetUp, var message = messages.next() {
            if isRequest, message[0] == randr, message[1] == Self.getCrtcInfo, lock.withLock({ isRefusing }) {
                // No CRTC has this number.
                message.replaceSubrange(4..<8, with: [0, 0, 0, 0])
            }
            XSocket.send(message[...], to: server)
        }
        shutdown(server, Int32(SHUT_RDWR))
    }
}
