// SPDX-License-Identifier: Apache-2.0

internal import Posix
internal import Systemd
internal import Varlink

/// One connected client: its socket and the state of the protocol. ``ClientTable`` owns it.
final class ClientSession {
    enum Phase {
        /// Its calls are answered.
        case serving
        /// One of its calls is answered until it disconnects.
        case subscribed
        /// It has ended, and counts only until the peer has read all sent data.
        case draining
        /// It was refused, and drains from the start.
        case refused
    }

    let id: ClientID
    /// The process and the user of the client when it connected.
    let peer: PeerCredentials
    var user: UInt32 { peer.user }
    private(set) var phase: Phase
    /// The time since which the client has read none of its unsent bytes, in seconds of the monotonic clock: the client cannot
    /// read during a suspend.
    private(set) var stalledSince: Double?
    /// The sequence of the newest state sent to this subscriber; nil if none was sent.
    var sentSequence: Int?
    /// The number of calls that may still be handled in this iteration of the loop; nil while it waits for a later one,
    /// because it has more.
    var callsLeft: Int? = 0
    /// Whether ``ClientTable/settle()`` will process it.
    var isTouched = false
    /// Whether the handlers must be notified once no bytes are unsent: they know that the subscriber is behind, or it
    /// missed a change.
    var notifiesWhenDrained = false

    private let socket: StreamSocket
    private var connection: ServerConnection
    private var source: EventSource?
    private var interest = Readiness.read

    init(
        id: ClientID, socket: consuming StreamSocket, peer: PeerCredentials, limits: Limits, isRefused: Bool = false
    ) {
        self.id = id
        phase = isRefused ? .refused : .serving
        self.peer = peer
        self.socket = socket
        connection = ServerConnection(limits: limits)
    }

    /// Starts to watch the socket.
    func watch(on loop: EventLoop, handler: @escaping (Readiness) -> Void) throws(SystemError) {
        source = try loop.watch(socket.descriptor, for: interest, handler: handler)
    }

    /// Discards all messages, and ends the watch before the descriptor is closed: ``SocketCloser`` may hold a copy that
    /// stays open longer.
    func close() {
        connection = ServerConnection()
        // The source lives on while its handler runs.
        source?.pause()
        source = nil
    }

    /// Ends the connection except for sent data that the peer has not read; returns whether there are any.
    ///
    /// Closing the socket would not free the data: they stay in the kernel, charged to this process, until the peer
    /// reads them or closes its end.
    func startDraining() -> Bool {
        guard let source, !hasDrained else { return false }
        connection = ServerConnection()
        stalledSince = nil
        if phase == .refused {
            // The client may be about to write its first call, which must not fail before it reads the refusal.
            socket.shutdownSending()
        } else {
            socket.shutdown()
            phase = .draining
        }
        // Edge-triggered: a peer that has shut down its end is hung up, even while it reads.
        source.setInterest([.write, .changes])
        return true
    }

    var isDraining: Bool { phase == .draining || phase == .refused }

    /// Whether the peer has read all sent data, or has closed its end. The kernel reports the last read while one byte
    /// of the data is still counted.
    var hasDrained: Bool { socket.unreadByPeer <= 1 }

    /// Sends an error without a call; the client reads it as the reply to its first call.
    func refuse(with message: EncodedMessage) {
        // Sending fails if the client has disconnected.
        _ = try? message.withBytes { (bytes) throws(SocketError) in try socket.send(bytes) }
    }

    var hasEnded: Bool { connection.ending != nil }

    /// How the client violated the protocol; nil if it did not.
    var fault: String? {
        switch connection.ending {
        case nil, .finished: nil
        case .malformed(let reason): reason
        case .oversized: "its message is too long"
        case .truncated: "it ended in the middle of a message"
        }
    }

    /// Whether more may be read from the peer.
    var isReading: Bool { connection.readCapacity > 0 }

    /// Whether the client was in a group when it connected. Not kept: a client could have 65,536 groups, and the trusted
    /// group can change.
    func isMember(of group: UInt32) -> Bool { socket.peerIsMember(of: group) }

    /// Whether no bytes are unsent.
    var isCaughtUp: Bool { connection.isCaughtUp }

    /// Returns the next call; nil while one is in progress, while too many bytes are unsent, or if none is pending.
    func nextCall() -> Call? {
        guard let callsLeft, callsLeft > 0, let call = connection.nextCall() else { return nil }
        self.callsLeft = callsLeft - 1
        return call
    }

    /// Queues a reply to the call in progress; drops it if the connection does not accept it. `sequence` is the number of
    /// the change in it.
    func queue(_ message: EncodedMessage, sequence: Int?) {
        if let sequence { sentSequence = sequence }
        do {
            try connection.send(message)
            if connection.callInProgress == .more { phase = .subscribed }
        } catch {}
    }

    /// Reads once, as much as the buffer and the limits allow.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(SocketError) {
        guard isReading else { return }
        _ = try connection.read(from: socket, using: buffer)
    }

    /// Writes unsent bytes, as far as the socket accepts them.
    func flush() throws(SocketError) {
        let hasWritten = try connection.write(to: socket)
        if isCaughtUp {
            stalledSince = nil
        } else if stalledSince == nil || hasWritten {
            stalledSince = MonotonicClock.now()
        }
    }

    /// Watches the socket for the reads and writes that are still needed.
    func updateInterest() {
        var interest: Readiness = isReading ? .read : []
        if !isCaughtUp { interest.insert(.write) }
        guard interest != self.interest else { return }
        self.interest = interest
        source?.setInterest(interest)
    }
}
