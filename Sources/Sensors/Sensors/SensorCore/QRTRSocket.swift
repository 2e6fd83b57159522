// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Glibc
package import Posix

/// The address of a QRTR socket: a processor, and a port on it.
package struct QRTRAddress: Hashable, Sendable {
    package var node: UInt32
    package var port: UInt32

    /// The name service of a node, which is in the kernel.
    static func control(of node: UInt32) -> Self { Self(node: node, port: 0xFFFF_FFFE) }
}

/// A datagram socket of the sensor core's clients; a fake one in tests.
package protocol CoreSocket: AnyObject {
    /// The node of this machine.
    var node: UInt32 { get }
    /// Readable when a datagram is queued.
    var descriptor: Int32 { get }

    func send(_ bytes: [UInt8], to address: QRTRAddress) throws(Errno)

    /// Returns the next datagram; nil if none is queued. It is valid until the next call.
    func receive() throws(Errno) -> (bytes: ArraySlice<UInt8>, source: QRTRAddress)?
}

/// A socket of AF_QIPCRTR. Opening the first one loads the kernel module.
package final class QRTRSocket: CoreSocket {
    package let node: UInt32
    package var descriptor: Int32 { socket.number }
    private let socket: OwnedDescriptor
    /// No datagram is longer, and the kernel does not report that one was cut.
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    package init() throws(Errno) {
        var node: UInt32 = 0
        socket = try OwnedDescriptor(cposix_qrtr_open(&node))
        self.node = node
    }

    package func send(_ bytes: [UInt8], to address: QRTRAddress) throws(Errno) {
        guard cposix_qrtr_send(descriptor, bytes, bytes.count, address.node, address.port) >= 0 else { throw .current }
    }

    package func receive() throws(Errno) -> (bytes: ArraySlice<UInt8>, source: QRTRAddress)? {
        var source = QRTRAddress(node: 0, port: 0)
        let count = cposix_qrtr_receive(descriptor, &buffer, buffer.count, &source.node, &source.port)
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        guard count >= 0 else { throw .current }
        return (buffer[..<count], source)
    }
}
