// SPDX-License-Identifier: Apache-2.0

import Glibc
import Varlink

/// A TCP connection whose last close blocks for a quarter of an hour (`SO_LINGER`), or until this object is released:
/// the receiver does not read.
package final class LingeringSocket {
    private let receiver: Int32
    private var sender: Int32

    /// Connects over the loopback interface.
    package init() throws {
        // A program that another test starts must not inherit the descriptors.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let listener = socket(AF_INET, kind, 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        sender = socket(AF_INET, kind, 0)
        // The send buffer exceeds the receive buffer: unsent bytes remain after the kernel has filled the receiver.
        Self.setBuffer(listener, SO_RCVBUF, 4_096)
        Self.setBuffer(sender, SO_SNDBUF, 1 << 18)
        let (descriptor, connecting) = (listener, sender)
        let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 1) == 0
                    && getsockname(descriptor, $0, &size) == 0 && connect(connecting, $0, size) == 0
            }
        }
        guard isConnected else { throw Failure(operation: "connect over TCP", errno: errno) }
        receiver = accept(listener, nil, nil)
        _ = fcntl(receiver, F_SETFD, FD_CLOEXEC)
        let bytes = [UInt8](repeating: 0, count: 1 << 16)
        while send(sender, bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
        // Longer than the time limit of the tests.
        var lingering = linger(l_onoff: 1, l_linger: 900)
        setsockopt(sender, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
    }

    private static func setBuffer(_ socket: Int32, _ option: Int32, _ bytes: Int32) {
        var bytes = bytes
        setsockopt(socket, SOL_SOCKET, option, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit {
        // Reset the connection: this ends a blocked close, even if a starting program holds a copy of the descriptor.
        var nowhere = sockaddr(sa_family: sa_family_t(AF_UNSPEC), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        connect(receiver, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
        close(receiver)
        if sender >= 0 { close(sender) }
    }

    /// A failed system call.
    package struct Failure: Error, Equatable {
        package let operation: String
        package let errno: Int32

        package init(operation: String, errno: Int32) {
            self.operation = operation
            self.errno = errno
        }
    }

    /// Sends one byte with `count` references to the connection, and closes this object's own.
    package func pass(over socket: Int32, count: Int = 1, outOfBand: Bool = false) throws {
        let header = 16
        let length = header + count * MemoryLayout<Int32>.size
        let control = UnsafeMutableRawBufferPointer.allocate(byteCount: (length + 7) & ~7, alignment: 8)
        defer { control.deallocate() }
        // struct cmsghdr: a length, the level, and SCM_RIGHTS.
        control.storeBytes(of: length, as: Int.self)
        control.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
        control.storeBytes(of: 1, toByteOffset: 12, as: Int32.self)
        for index in 0..<count { control.storeBytes(of: sender, toByteOffset: header + index * 4, as: Int32.self) }
        var byte = UInt8(ascii: "{")
        let flags = Int32(MSG_NOSIGNAL) | (outOfBand ? Int32(MSG_OOB) : 0)
        let sent = withUnsafeMutablePointer(to: &byte) { pointer in
            var bytes = iovec(iov_base: pointer, iov_len: 1)
            return withUnsafeMutablePointer(to: &bytes) { vector in
                var message = msghdr()
                message.msg_iov = vector
                message.msg_iovlen = 1
                message.msg_control = control.baseAddress
                message.msg_controllen = length
                return sendmsg(socket, &message, flags)
            }
        }
        let code = errno
        guard sent == 1 else { throw Failure(operation: "sendmsg", errno: code) }
        // If the receiver has already dropped its references, close would block here.
        let closer = SocketCloser()
        closer.close(takeSender(), of: 0)
        while closer.pending > 0 { sched_yield() }
    }

    /// Transfers the sending end to the caller, whose close blocks until this object is released.
    package func takeSender() -> Int32 {
        defer { sender = -1 }
        return sender
    }
}

/// Whether this kernel has `SO_PASSRIGHTS` (Linux 6.16), which rejects descriptors.
package let kernelRefusesDescriptors: Bool = {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var off: Int32 = 0
    return setsockopt(descriptor, SOL_SOCKET, 83, &off, socklen_t(MemoryLayout<Int32>.size)) == 0
}()
