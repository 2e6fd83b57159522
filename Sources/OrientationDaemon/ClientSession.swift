// SPDX-License-Identifier: Apache-2.0

internal import Sensing
internal import Systemd
internal import Varlink

/// One connected client: its socket, the protocol's state, and how much of the daemon's state it has been told.
final class ClientSession {
    let id: Int
    let user: UInt32
    /// The sequence of the newest state that was handed to this subscriber; nil for one that has not subscribed.
    var told: Int?
    /// Whether it follows something: its call is answered until it leaves.
    var isSubscriber = false
    /// Since when bytes have been waiting that the client does not read, in seconds of the boot clock.
    private(set) var stalledSince: Double?

    /// Whether the client has taken all that it was sent. Kept beside the connection, since it is asked of every
    /// subscriber at every change, and the connection would be copied for the answer.
    private(set) var isCaughtUp = true
    /// Whether the table has let it go.
    private(set) var isGone = false

    private var connection: ServerConnection
    private let socket: StreamSocket
    private var source: EventSource?
    private var interest = Readiness.read

    init(id: Int, socket: consuming StreamSocket, user: UInt32, limits: Limits) {
        self.id = id
        self.user = user
        self.socket = socket
        connection = ServerConnection(limits: limits)
    }

    /// Starts to listen to the client.
    func watch(on loop: EventLoop, handler: @escaping @MainActor (Readiness) -> Void) throws(SystemError) {
        source = try loop.watch(socket.descriptor, for: interest, handler: handler)
    }

    /// Listens no more; whoever still has the session can do nothing with it.
    func leave() {
        isGone = true
        source = nil
    }

    /// All groups of the client when it connected; none where the kernel does not tell.
    func groups() -> Set<UInt32> {
        let primary = (try? socket.peerCredentials()).map { [$0.group] } ?? []
        return Set(primary + ((try? socket.peerGroups()) ?? []))
    }

    /// Whether the session is over, so that it is to be let go.
    var isOver: Bool { connection.ending != nil }

    /// Why it is over, where the client is to blame.
    var fault: String? {
        switch connection.ending {
        case nil, .finished: nil
        case .malformed(let reason): reason
        case .oversized: "its message is too long"
        case .truncated: "it stopped in the middle of a message"
        }
    }

    /// The next call to answer.
    func nextCall() -> Call? { connection.nextCall() }

    /// Answers the call in progress, or continues to answer it; a client that cannot take it is not told.
    func send(_ message: EncodedMessage) {
        do {
            try connection.send(message)
            isCaughtUp = false
        } catch {}
    }

    /// Continues the answer to a subscriber that is caught up, and writes it at once; whether all of it went.
    func tell(_ message: EncodedMessage) throws(SocketError) -> Bool {
        isCaughtUp = try connection.send(message, at: socket)
        if !isCaughtUp { stalledSince = BootClock.now() }
        return isCaughtUp
    }

    /// Reads once, as much as the buffer and the limits allow.
    func receive(into buffer: UnsafeMutableRawBufferPointer) throws(SocketError) {
        if isReading { _ = try connection.read(from: socket, using: buffer) }
    }

    /// Writes what the client takes.
    func flush() throws(SocketError) {
        let hasWritten = try connection.write(to: socket)
        isCaughtUp = connection.isCaughtUp
        if isCaughtUp {
            stalledSince = nil
        } else if stalledSince == nil || hasWritten {
            stalledSince = BootClock.now()
        }
    }

    /// Listens from now on for what is left to do.
    func listen() {
        var interest: Readiness = isReading ? .read : []
        if !isCaughtUp { interest.insert(.write) }
        guard interest != self.interest else { return }
        self.interest = interest
        source?.setInterest(interest)
    }

    /// Whether the peer may still say something that has not been read.
    var isReading: Bool { connection.readCapacity > 0 }
}
