// SPDX-License-Identifier: Apache-2.0

internal import CPosix
internal import Posix
internal import Systemd
internal import Varlink

// MARK: Accepting

extension ClientTable {
    /// The send buffer of an untrusted client's socket, in bytes. 32 KiB has room for 50 states; later states replace
    /// each other. With the system's default of 208 KiB, 256 clients that read nothing would take 53 MB of the kernel's
    /// memory. Trusted clients keep the default: samples that do not fit are lost.
    private static let sendBuffer: Int32 = 32 * 1024

    /// Why no connection can be accepted; nil if one can. Connections that are not closed yet hold descriptors, too.
    var obstacle: String? {
        let unclosed = closer.pending
        if limiter.total + unclosed < limits.connections + DescriptorLimit.closing { return nil }
        return "connections with passed descriptors are not closed yet"
    }

    func admit(_ socket: consuming StreamSocket) {
        // Without credentials, which the kernel keeps for every peer, nothing is permitted: disconnect.
        guard let peer = try? socket.peerCredentials() else { return }
        if let needs = authority.missingForConnection(user: peer.user, isMember: { socket.peerIsMember(of: $0) }) {
            return refuse(socket, of: peer, .permission(needs))
        }
        let closing = closer.pending(of: peer.user)
        let limit = limiter.limitReached(by: peer.user, closing: closing) {
            isTrusted(peer, socket) || peer.user != Authority.unmappedUser && isSeated(peer.user)
        }
        if let limit { refuse(socket, of: peer, .limit(limit)) } else { open(socket, of: peer) }
    }

    private func isTrusted(_ peer: PeerCredentials, _ socket: borrowing StreamSocket) -> Bool {
        authority.isTrusted(user: peer.user, isMember: { socket.peerIsMember(of: $0) })
    }

    private func refuse(_ socket: consuming StreamSocket, of peer: PeerCredentials, _ refusal: Refusal) {
        let user = peer.user
        log.logOnce("\(refusal)", at: .notice, "refused a client of user \(user): \(refusal)")
        // Without a slot for the refusal, the connection is closed without a message.
        guard limiter.openRefusal(user: user) else { return }
        guard let session = add(socket, of: peer, isRefused: true) else {
            return limiter.closeRefusal(user: user)
        }
        session.refuse(with: EncodedMessage(error: refusal.reply(of: interface)))
        if !session.startDraining() { release(session) }
    }

    private func open(_ socket: consuming StreamSocket, of peer: PeerCredentials) {
        if !isTrusted(peer, socket) { socket.setSendBuffer(bytes: Self.sendBuffer) }
        guard add(socket, of: peer) != nil else { return }
        limiter.open(user: peer.user)
        peak = max(peak, limiter.total)
    }

    /// Adds a session to the table; nil if its socket cannot be watched.
    private func add(
        _ socket: consuming StreamSocket, of peer: PeerCredentials, isRefused: Bool = false
    ) -> ClientSession? {
        lastSerial += 1
        let session = ClientSession(
            id: ClientID(serial: lastSerial), socket: socket, peer: peer, limits: limits, isRefused: isRefused)
        do throws(SystemError) {
            try session.watch(on: loop) { [unowned self, unowned session] in ready(session, $0) }
        } catch {
            log.logOnce("\(error)", at: .warning, "cannot serve a client of user \(peer.user): \(error)")
            return nil
        }
        sessions[session.id] = session
        return session
    }
}

// MARK: Disconnecting

extension ClientTable {
    /// The least peak after which freed memory is returned to the system: glibc keeps memory that was freed below a used
    /// block. 4: a client with full queues holds 256 KB, and fewer clients leave less than 1 MB.
    private static let trimmedPeak = 4

    func drop(_ session: ClientSession, because error: SocketError? = nil) {
        guard sessions[session.id] != nil, !session.isDraining else { return }
        if let fault = error == .descriptorsPassed ? error?.description : session.fault {
            log.debug("disconnected a client of user \(session.user): \(fault)")
        }
        report(.left(session.id))
        if !session.startDraining() { release(session) }
    }

    /// Closes a connection that has ended, and removes it from the table.
    func release(_ session: ClientSession) {
        sessions[session.id] = nil
        session.close()
        guard session.phase != .refused else { return limiter.closeRefusal(user: session.user) }
        limiter.close(user: session.user)
        if peak >= Self.trimmedPeak, limiter.total <= peak / 4 {
            peak = limiter.total
            malloc_trim(0)
        }
        // A descriptor is free again.
        acceptor?.resume()
    }

    /// The stall timer fired.
    func dropStalled() {
        let now = MonotonicClock.now()
        let stalled = sessions.values.filter { $0.stalledSince.map { now - $0 >= limits.stallTimeout } ?? false }
        for session in stalled { drop(session) }
        if let first = stalled.first {
            let clients = stalled.count == 1 ? "a client that has" : "\(stalled.count) clients that have"
            log.debug("disconnected \(clients) read nothing for \(Int(limits.stallTimeout)) s, of user \(first.user)")
        }
        let oldest = sessions.values.compactMap(\.stalledSince).min()
        isStallTimerRunning = oldest != nil
        if let oldest { stallTimer?.fire(after: oldest + limits.stallTimeout - now) }
    }
}
