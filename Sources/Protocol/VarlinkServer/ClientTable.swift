// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Posix
package import Systemd
package import Varlink

/// All clients of a service: accepts them within the limits, reports their calls, and writes the replies.
///
/// The receiver of events only queues them. Callbacks and replies only mark a session; ``settle()`` completes its reads
/// and writes once all events have been handled.
package final class ClientTable {
    let limits: Limits
    let log: Logger
    let interface: String
    let report: (ClientEvent) -> Void
    private(set) var authority: Authority
    /// Closes connections on which descriptors were passed. Such a connection counts for its user until it is closed.
    let closer: SocketCloser

    /// All connections, also those that have ended and are not closed yet.
    var sessions: [ClientID: ClientSession] = [:]
    var lastSerial = 0
    var limiter: ConnectionLimiter
    /// The maximum of ``ConnectionLimiter/total`` since freed memory was returned to the system.
    var peak = 0
    private var touched: [ClientSession] = []
    /// Clients with more calls than are handled in one iteration of the loop.
    private var unfinished: [ClientID] = []

    let loop: EventLoop
    /// Whether a user has an active session at the device.
    let isSeated: (UInt32) -> Bool
    private(set) var acceptor: ConnectionAcceptor?
    private(set) var stallTimer: EventSource?
    var isStallTimerRunning = false
    private var unfinishedTimer: EventSource?
    /// The buffer of all reads: an idle client needs none.
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    /// The number of calls of one client that are handled in one iteration of the loop. 4: a client waits for the
    /// calls of all others.
    private static let callsPerTurn = 4
    /// The number of clients with more calls that are resumed in one iteration of the loop. 32: their calls take a few
    /// milliseconds.
    private static let resumedPerTurn = 32

    /// Serves the connections of `listener` on `loop`. The interface declares the errors of refused clients. Users for whom
    /// `isSeated` returns true may take reserved slots. `report` receives the events, and must not call the table.
    package init(
        listener: consuming ListeningSocket, limits: Limits, authority: Authority, interface: String, loop: EventLoop,
        log: Logger, closer: SocketCloser = .shared, isSeated: @escaping (UInt32) -> Bool = { _ in false },
        report: @escaping (ClientEvent) -> Void
    ) throws(SystemError) {
        self.limits = limits
        self.authority = authority
        self.interface = interface
        self.report = report
        self.log = log
        self.closer = closer
        self.loop = loop
        self.isSeated = isSeated
        limiter = ConnectionLimiter(limits: limits)
        // After a large message glibc would raise this threshold, and keep as much freed memory: 4 MB.
        mallopt(M_MMAP_THRESHOLD, 128 << 10)
        // Unowned, here and below: this table owns the sources.
        acceptor = try ConnectionAcceptor(
            of: listener, on: loop, closer: closer, log: log, obstacle: { [unowned self] in obstacle },
            admit: { [unowned self] in admit($0) })
        unfinishedTimer = try loop.timer { [unowned self] in resumeUnfinished() }
        stallTimer = try loop.timer { [unowned self] in dropStalled() }
    }

    deinit {
        for session in sessions.values { session.close() }
        scratch.deallocate()
    }

    /// The connections by user, in the order of user IDs.
    package var connections: [UserCount] {
        var counts: [UInt32: UserCount] = [:]
        for session in sessions.values where session.phase != .refused {
            counts[session.user, default: UserCount(user: session.user)].connections += 1
            if session.phase == .subscribed { counts[session.user]?.subscribers += 1 }
        }
        return counts.values.sorted { $0.user < $1.user }
    }

    /// Whether clients are connected. Connections that have ended and are not closed yet do not count.
    package var hasClients: Bool { sessions.values.contains { !$0.isDraining } }

    /// Returns the session with this id, unless its connection has ended.
    private func session(_ id: ClientID) -> ClientSession? {
        sessions[id].flatMap { $0.isDraining ? nil : $0 }
    }

    /// Accepts no more connections: they stay in the backlog of the socket.
    package func stopAccepting() { acceptor?.stop() }

    /// Sets the id of the trusted group, when it is known or has changed.
    package func setTrustedGroup(_ group: UInt32?) { authority.group = group }
}

// MARK: Replies

extension ClientTable {
    /// Queues a reply, or a continued reply, to the call in progress of a client; `sequence` is the number of the change
    /// in the message. Ignored if the client has disconnected.
    package func reply(to id: ClientID, _ message: EncodedMessage, sequence: Int?) {
        guard let session = session(id) else { return }
        session.queue(message, sequence: sequence)
        touch(session)
    }

    /// Sends a change to the subscribers that have no unsent bytes and have not been sent it.
    package func broadcast(_ message: EncodedMessage, sequence: Int, to clients: Set<ClientID>) {
        for id in clients {
            guard let session = session(id), session.sentSequence != sequence else { continue }
            guard session.isCaughtUp else {
                session.notifiesWhenDrained = true
                continue
            }
            session.queue(message, sequence: sequence)
            do throws(SocketError) {
                try session.flush()
                session.updateInterest()
                reportProgress(of: session)
            } catch {
                drop(session, because: error)
            }
        }
    }

    /// Writes pending replies, as far as the sockets accept them, before the clients are disconnected.
    package func flush() {
        // A client to which sending fails is disconnected next, as all are.
        for session in touched { try? session.flush() }
    }

    private func reportProgress(of session: ClientSession) {
        if let since = session.stalledSince {
            if session.phase == .subscribed {
                report(.fellBehind(session.id, since: BootClock.now() - (MonotonicClock.now() - since)))
            }
            session.notifiesWhenDrained = session.phase == .subscribed
            guard !isStallTimerRunning else { return }
            isStallTimerRunning = true
            stallTimer?.fire(after: limits.stallTimeout)
        } else if session.notifiesWhenDrained, session.isCaughtUp {
            session.notifiesWhenDrained = false
            report(.caughtUp(session.id, sequence: session.sentSequence))
        }
    }
}

// MARK: Reads and writes

extension ClientTable {
    func ready(_ session: ClientSession, _ readiness: Readiness) {
        if session.isDraining {
            if session.hasDrained { release(session) }
            return
        }
        let isUnfinished = session.callsLeft == nil
        if !isUnfinished { session.callsLeft = Self.callsPerTurn }
        // Data sent before the peer closed is still handled: a oneway call, for example.
        if readiness.isHungUp, !session.isReading, !isUnfinished { return drop(session) }
        do throws(SocketError) {
            if readiness.contains(.read) { try session.receive(into: scratch) }
            touch(session)
        } catch {
            drop(session, because: error)
        }
    }

    private func touch(_ session: ClientSession) {
        guard !session.isTouched else { return }
        session.isTouched = true
        touched.append(session)
    }

    /// Whether ``settle()`` has work to do.
    package var needsSettling: Bool { !touched.isEmpty }

    /// Completes the sessions that callbacks and effects marked: reports their next calls, writes replies, and
    /// disconnects sessions that have ended.
    package func settle() {
        guard needsSettling else { return }
        let marked = touched
        touched = []
        for session in marked {
            session.isTouched = false
            guard self.session(session.id) != nil else { continue }
            do throws(SocketError) {
                try settle(session)
            } catch {
                drop(session, because: error)
            }
        }
    }

    private func settle(_ session: ClientSession) throws(SocketError) {
        if reportCall(of: session) { return }
        try session.flush()
        if session.hasEnded { return drop(session) }
        // Calls also wait while too many bytes are unsent; this write may have made room for the next one.
        if session.isCaughtUp, reportCall(of: session) { return }
        session.updateInterest()
        if session.callsLeft == 0 { resumeLater(session) }
        reportProgress(of: session)
    }

    /// Reports the next call of a session; returns false if there is none.
    private func reportCall(of session: ClientSession) -> Bool {
        guard let call = session.nextCall() else { return false }
        let isTrusted = authority.isTrusted(user: session.user, isMember: session.isMember)
        let caller = Caller(
            client: session.id, user: session.user, isTrusted: isTrusted, process: session.peer.process)
        report(.call(call, from: caller))
        touch(session)
        return true
    }

    /// Schedules a client that may have more calls for a later iteration of the loop.
    private func resumeLater(_ session: ClientSession) {
        session.callsLeft = nil
        unfinished.append(session.id)
        unfinishedTimer?.fire(after: 0)
    }

    private func resumeUnfinished() {
        let resumed = unfinished.prefix(Self.resumedPerTurn)
        unfinished.removeFirst(resumed.count)
        for session in resumed.compactMap(session) {
            session.callsLeft = Self.callsPerTurn
            touch(session)
        }
        if !unfinished.isEmpty { unfinishedTimer?.fire(after: 0) }
    }
}
