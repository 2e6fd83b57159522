// SPDX-License-Identifier: Apache-2.0

internal import Systemd
internal import Varlink

/// Accepts the connections of the listening socket, a bounded number per iteration of the loop.
///
/// Pauses while no connection can be accepted: pending connections keep the listening socket readable, and the loop would
/// spin.
final class ConnectionAcceptor {
    /// The number of connections accepted in one iteration of the loop: a burst delays no client for long.
    private static let batch = 32
    /// The delay of the next attempt after a connection could not be accepted, in seconds; ``resume()`` ends it.
    private static let pause = 1.0

    private let listener: ListeningSocket
    private let closer: SocketCloser
    private let log: Logger
    private let obstacle: () -> String?
    private let admit: (consuming StreamSocket) -> Void
    private var source: EventSource?
    private var timer: EventSource?
    private var isStopped = false

    /// Passes each accepted connection to `admit`; accepts none while `obstacle` returns a reason.
    init(
        of listener: consuming ListeningSocket, on loop: EventLoop, closer: SocketCloser, log: Logger,
        obstacle: @escaping () -> String?, admit: @escaping (consuming StreamSocket) -> Void
    ) throws(SystemError) {
        self.listener = listener
        self.closer = closer
        self.log = log
        self.obstacle = obstacle
        self.admit = admit
        // Unowned, here and below: this object owns the sources.
        source = try loop.watch(self.listener.descriptor, for: .read) { [unowned self] _ in accept() }
        timer = try loop.timer { [unowned self] in
            closer.resume()
            resume()
        }
    }

    deinit {
        // Before the socket is closed: another process may have a copy of the descriptor.
        source?.pause()
    }

    /// Continues after a pause: a descriptor may be free again.
    func resume() {
        if !isStopped { source?.resume() }
    }

    /// Accepts no more connections.
    func stop() {
        isStopped = true
        source?.pause()
    }

    private func accept() {
        for _ in 0..<Self.batch {
            if let obstacle = obstacle() { return pause(obstacle) }
            do throws(SocketError) {
                guard let socket = try listener.accept() else { return }
                admit(socket)
            } catch {
                return pause("\(error)")
            }
        }
    }

    private func pause(_ reason: String) {
        log.logOnce(
            reason, at: .warning, "cannot accept connections: \(reason); retrying in \(Int(Self.pause)) s")
        source?.pause()
        timer?.fire(after: Self.pause)
    }
}
