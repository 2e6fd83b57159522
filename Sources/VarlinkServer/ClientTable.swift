// SPDX-License-Identifier: Apache-2.0

internal import Support
package import Systemd
package import Varlink

/// All clients of a service: accepts them within the limits, reports their calls, and writes the replies.
///
/// The receiver of events only queues them. Callbacks and replies only mark a session; ``settle()`` completes its reads and writes
/// once all events have been handled.
package final class ClientTable {
    private let loop: EventLoop
    private let limits: Limits
    private let log: ClientLog
    private let interface: String
    private let report: (ClientEvent) -> Void
    private var authority: Authority
    /// Closes connections on which descriptors were passed. Such a connection counts for its user until it is closed.
    private let closer: SocketCloser
    private let memory: IdleMemory

    private var slots = ClientSlots()
    private var limiter: ConnectionLimiter
    private var writer = MessageWriter()
    private var touched: ContiguousArray<ClientSession> = []
    /// The number of bytes of messages held for all clients.
    private var heldBytes = 0
    /// Clients with more calls than are handled in one iteration of the loop.
    private var unfinished: ContiguousArray<ClientID> = []

    private var group: DescriptorGroup?
    private var acceptor: ConnectionAcceptor?
    private var stallTimer: EventSource?
    private var isStallTimerRunning = false
    private var unfinishedTimer: EventSource?
    /// The buffer of all reads: an idle client needs none.
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    /// The number of calls of one client that are handled in one iteration of the loop. 4: a client waits for the
    /// calls of all others; with 16, the calls of 4000 clients that pipeline them would take one second.
    private static let callsPerTurn = 4
    /// The send buffer of an untrusted client's socket, in bytes. 32 KiB has room for 50 states; later states replace
    /// each other. With the system's default of 208 KiB, 4096 clients that read nothing would take 850 MB of the kernel's
    /// memory. Trusted clients keep the default: samples that do not fit are lost.
    private static let sendBuffer: Int32 = 32 * 1024

    /// Serves the connections of `listener` on `loop`. The interface declares the errors of refused clients. `report`
    /// receives the events, and must not call the table.
    package init(
        listener: consuming ListeningSocket, limits: Limits, authority: Authority, interface: String, loop: EventLoop,
        memory: IdleMemory, log: ClientLog, closer: SocketCloser = .shared, report: @escaping (ClientEvent) -> Void
    ) throws(SystemError) {
        self.limits = limits
        self.authority = authority
        self.loop = loop
        self.interface = interface
        self.report = report
        self.log = log
        self.closer = closer
        limiter = ConnectionLimiter(limits: limits)
        self.memory = memory
        // Unowned, here and below: this table owns the sources. A weak reference would permanently make each retain of
        // the table slower.
        group = try DescriptorGroup(on: loop) { [unowned self] in ready(slot: $0, $1) }
        acceptor = try ConnectionAcceptor(
            of: listener, on: loop, closer: closer, log: log, obstacle: { [unowned self] in obstacle },
            admit: { [unowned self] in admit($0) })
        unfinishedTimer = try loop.timer { [unowned self] in resumeUnfinished() }
        stallTimer = try loop.timer { [unowned self] in dropStalled() }
    }

    deinit {
        for session in sessions { session.close() }
        scratch.deallocate()
    }

    /// Whether ``settle()`` has work to do.
    package var needsSettling: Bool { !touched.isEmpty }

    private var sessions: some Sequence<ClientSession> { slots.sessions }

    /// The connections by user, in the order of user IDs.
    package var connections: [UserCount] {
        var counts: [UInt32: UserCount] = [:]
        for session in sessions where !session.isRefused {
            counts[session.user, default: UserCount(user: session.user)].connections += 1
            if session.isSubscriber { counts[session.user]?.subscribers += 1 }
        }
        return counts.values.sorted { $0.user < $1.user }
    }

    /// Whether clients are connected. Connections that have ended and are not closed yet do not count.
    package var hasClients: Bool { sessions.contains { !$0.isDraining } }

    /// Accepts no more connections: they stay in the backlog of the socket.
    package func stopAccepting() { acceptor?.stop() }

    /// Sets the id of the trusted group, when it is known or has changed.
    package func setTrustedGroup(_ group: UInt32?) { authority.group = group }
}

// MARK: Effects

extension ClientTable {
    /// Queues a reply, or a continued reply, to the call in progress of a client; `sequence` is the number of the change
    /// in the message. Ignored if the client has disconnected.
    package func reply(to id: ClientID, _ message: EncodedMessage, sequence: Int?) {
        guard let session = slots[id] else { return }
        if let sequence { session.sentSequence = sequence }
        session.queue(message)
        touch(session)
    }

    /// Sends a change to the subscribers that have no unsent bytes and have not been sent it.
    package func broadcast(_ message: EncodedMessage, sequence: Int, to clients: ContiguousArray<ClientID>) {
        var ready: ContiguousArray<ClientSession> = []
        ready.reserveCapacity(clients.count)
        for id in clients {
            guard let session = slots[id], session.sentSequence != sequence else { continue }
            guard session.isCaughtUp else {
                session.owesProgress = true
                continue
            }
            session.sentSequence = sequence
            if session.acceptUnqueued(message) { ready.append(session) }
        }
        let outcome = writer.write(message, to: ready)
        for session in outcome.failed { drop(session) }
        for session in outcome.behind {
            count(session)
            session.updateInterest()
            reportProgress(of: session)
        }
        dropLargest()
    }

    /// Completes the sessions that callbacks and effects marked: reports their next calls, writes replies, and
    /// disconnects sessions that have ended.
    package func settle() {
        let sessions = touched
        touched.removeAll(keepingCapacity: true)
        for session in sessions {
            session.isTouched = false
            guard slots[session.id] != nil else { continue }
            do throws(SocketError) {
                try settle(session)
            } catch {
                drop(session, because: error)
            }
        }
        dropLargest()
    }

    /// Writes pending replies, as far as the sockets accept them, before the clients are disconnected.
    package func flush() {
        for session in touched { try? session.flush() }
    }

    private func settle(_ session: ClientSession) throws(SocketError) {
        if reportCall(of: session) { return }
        try session.flush()
        count(session)
        if session.hasEnded { return drop(session) }
        // Calls also wait while too many bytes are unsent; this write may have made room for the next one.
        if session.isCaughtUp, reportCall(of: session) { return }
        if session.isHungUp, session.callsLeft > 0 {
            // Data sent before the peer closed is still handled: a oneway call, for example.
            guard session.isReading else { return drop(session) }
            try session.receive(into: scratch)
            count(session)
            return touch(session)
        }
        session.updateInterest()
        if session.callsLeft == 0 { resumeLater(session) }
        reportProgress(of: session)
    }

    /// Reports the next call of a session; returns false if there is none.
    private func reportCall(of session: ClientSession) -> Bool {
        guard let call = session.nextCall() else { return false }
        let isTrusted = authority.isTrusted(user: session.user, groups: session.groups)
        let caller = Caller(
            client: session.id, user: session.user, isTrusted: isTrusted, process: session.peer.process)
        report(.call(call, from: caller))
        touch(session)
        return true
    }

    private func touch(_ session: ClientSession) {
        guard !session.isTouched else { return }
        session.isTouched = true
        touched.append(session)
    }

    /// Schedules a client that may have more calls for a later iteration of the loop.
    private func resumeLater(_ session: ClientSession) {
        guard !session.isUnfinished else { return }
        session.isUnfinished = true
        unfinished.append(session.id)
        unfinishedTimer?.fire(after: 0)
    }

    private func resumeUnfinished() {
        var count = 0, resumed = 0
        while count < unfinished.count, resumed < DescriptorGroup.batch {
            defer { count += 1 }
            guard let session = slots[unfinished[count]] else { continue }
            resumed += 1
            session.isUnfinished = false
            session.callsLeft = Self.callsPerTurn
            touch(session)
        }
        unfinished.removeFirst(count)
        if !unfinished.isEmpty { unfinishedTimer?.fire(after: 0) }
    }

    private func reportProgress(of session: ClientSession) {
        if let since = session.stalledSince {
            if session.isSubscriber { report(.fellBehind(session.id, since: since)) }
            session.owesProgress = session.isSubscriber
            guard !isStallTimerRunning else { return }
            isStallTimerRunning = true
            stallTimer?.fire(after: limits.stallTimeout)
        } else if session.owesProgress, session.isCaughtUp {
            session.owesProgress = false
            report(.caughtUp(session.id, sequence: session.sentSequence))
        }
    }
}

// MARK: Readiness

extension ClientTable {
    private func ready(slot: Int, _ readiness: Readiness) {
        guard let session = slots[slot: slot] else { return }
        if session.isDraining {
            if session.hasDrained { release(session) }
            return
        }
        if !session.isUnfinished { session.callsLeft = Self.callsPerTurn }
        session.isHungUp = readiness.isHungUp
        do throws(SocketError) {
            if readiness.contains(.read) { try session.receive(into: scratch) }
            touch(session)
        } catch {
            drop(session, because: error)
        }
    }

    private func drop(_ session: ClientSession, because error: SocketError? = nil) {
        guard slots[session.id] != nil else { return }
        if let fault = error == .descriptorsPassed ? error?.description : session.fault {
            log.write(.debug, user: session.user, "disconnected a client of user \(session.user): \(fault)")
        }
        heldBytes -= session.countedBytes
        session.countedBytes = 0
        report(.left(session.id))
        if !session.startDraining() { release(session) }
    }

    /// Closes a connection that has ended, and frees its slot.
    private func release(_ session: ClientSession) {
        slots.release(session.id)
        session.close()
        guard !session.isRefused else { return limiter.closeRefusal(user: session.user) }
        limiter.close(user: session.user, isReplaced: session.isReplaced)
        memory.noteDisconnection(remaining: limiter.total)
        writer.noteDisconnection(remaining: limiter.total)
        // A descriptor is free again.
        acceptor?.resume()
    }

    private func count(_ session: ClientSession) {
        heldBytes += session.heldBytes - session.countedBytes
        session.countedBytes = session.heldBytes
    }

    /// If too many bytes are held for all clients: disconnects the largest client of the user with the most bytes,
    /// until an eighth of the limit is free. It frees that much because each search iterates over all clients.
    private func dropLargest() {
        guard heldBytes > limits.totalBytes else { return }
        var clients = Dictionary(grouping: sessions, by: { ChargedUser($0.user) }).mapValues {
            $0.sorted { $0.countedBytes < $1.countedBytes }
        }
        var totals = clients.mapValues { $0.reduce(0) { $0 + $1.countedBytes } }
        while heldBytes > limits.totalBytes - limits.totalBytes / 8,
            let user = totals.max(by: { $0.value < $1.value })?.key, let largest = clients[user]?.popLast()
        {
            totals[user, default: 0] -= largest.countedBytes
            log.write(
                .notice, user: largest.user,
                "disconnected a client of user \(largest.user), for which \(largest.countedBytes) bytes are held: limit of all clients reached"
            )
            drop(largest)
        }
    }

    private func dropStalled() {
        let now = BootClock.now()
        let stalled = sessions.filter { $0.stalledSince.map { now - $0 >= limits.stallTimeout } ?? false }
        for session in stalled { drop(session) }
        if let first = stalled.first {
            let clients = stalled.count == 1 ? "a client that has" : "\(stalled.count) clients that have"
            log.write(
                .info, user: first.user,
                "disconnected \(clients) read nothing for \(Int(limits.stallTimeout)) s, of user \(first.user)")
        }
        let oldest = sessions.compactMap(\.stalledSince).min()
        isStallTimerRunning = oldest != nil
        if let oldest { stallTimer?.fire(after: oldest + limits.stallTimeout - now) }
    }
}

// MARK: Accepting

extension ClientTable {
    /// Why no connection can be accepted; nil if one can. Connections that are not closed yet hold descriptors, too.
    private var obstacle: String? {
        let unclosed = closer.pending
        if limiter.total + unclosed < limits.connections + DescriptorLimit.closing { return nil }
        return "\(unclosed) connections with passed descriptors are not closed yet"
    }

    private func admit(_ socket: consuming StreamSocket) {
        // The peer may have disconnected already.
        guard let peer = try? socket.peerCredentials() else { return }
        let groups = Set(((try? socket.peerGroups()) ?? []) + [peer.group])
        if let needs = authority.missingForConnection(user: peer.user, groups: groups) {
            return refuse(socket, of: peer, groups, .permission(needs))
        }
        let closing = closer.pending(of: peer.user)
        switch limiter.decide(user: peer.user, closing: closing, rank: { rank(of: peer.user, groups) }) {
        case .admit: open(socket, of: peer, groups)
        case .replaceIdlest(let count):
            replaceIdlest(ofUsersWith: count)
            open(socket, of: peer, groups)
        case .refuse(let limit): refuse(socket, of: peer, groups, .limit(limit))
        }
    }

    private func refuse(
        _ socket: consuming StreamSocket, of peer: PeerCredentials, _ groups: Set<UInt32>, _ refusal: Refusal
    ) {
        let user = peer.user
        log.write(.notice, user: user, "refused a client of user \(user): \(refusal)")
        // Without a slot for the refusal, the connection is closed without a message.
        guard limiter.openRefusal(user: user) else { return }
        guard let session = add(socket, of: peer, groups, isRefused: true) else {
            return limiter.closeRefusal(user: user)
        }
        session.refuse(with: EncodedMessage(error: refusal.reply(of: interface)))
        if !session.startDraining() { release(session) }
    }

    private func rank(of user: UInt32, _ groups: Set<UInt32>) -> ConnectionLimiter.Rank {
        user == 0 ? .root : authority.isTrusted(user: user, groups: groups) ? .trusted : .other
    }

    /// Frees the slot of one connection among the users that each have `count` replaceable ones: of one that has
    /// ended, or of the one that has been idle longest, subscribers last. The connection is closed once its client has
    /// read the replies.
    private func replaceIdlest(ofUsersWith count: Int) {
        let candidates = sessions.filter {
            $0.user != 0 && !$0.isRefused && !$0.isReplaced && limiter.replaceable(of: $0.user) == count
        }
        func rank(_ session: ClientSession) -> Int { session.isDraining ? 0 : session.isSubscriber ? 2 : 1 }
        let idlest = candidates.min { (rank($0), $0.lastReceived) < (rank($1), $1.lastReceived) }
        guard let idlest else { return }
        log.write(
            .notice, user: idlest.user,
            "disconnected an idle client of user \(idlest.user), which has \(count): the table is full")
        drop(idlest)
        guard idlest.isDraining else { return }
        idlest.isReplaced = true
        limiter.replace(user: idlest.user)
    }

    private func open(_ socket: consuming StreamSocket, of peer: PeerCredentials, _ groups: Set<UInt32>) {
        if !authority.isTrusted(user: peer.user, groups: groups) { socket.setSendBuffer(bytes: Self.sendBuffer) }
        if add(socket, of: peer, groups) != nil { limiter.open(user: peer.user) }
    }

    /// Adds a session to the table; nil if its socket cannot be watched.
    private func add(
        _ socket: consuming StreamSocket, of peer: PeerCredentials, _ groups: Set<UInt32>, isRefused: Bool = false
    ) -> ClientSession? {
        let id = slots.reserve()
        let session = ClientSession(
            id: id, socket: socket, peer: peer, groups: groups, limits: limits, isRefused: isRefused)
        do throws(SystemError) {
            if let group { try session.watch(with: group) }
        } catch {
            slots.release(id)
            log.write(.warning, user: peer.user, "cannot serve a client of user \(peer.user): \(error)")
            return nil
        }
        slots.insert(session)
        return session
    }
}
