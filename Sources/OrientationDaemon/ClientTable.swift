// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import OrientationWire
internal import Sensing
internal import Systemd
internal import Varlink

/// Whoever the clients of a ``ClientTable`` are for.
protocol ClientOwner: AnyObject {
    /// A client called: answer it on its session, now or later; what is answered later is written by
    /// ``ClientTable/serve(_:)``.
    func answer(_ call: Call, _ session: ClientSession)
    /// A client was written to, and may have room for more.
    func hasWritten(to session: ClientSession)
    /// A client has gone; its session is not to be used any more.
    func hasLeft(_ session: ClientSession)
}

/// All connected clients: it accepts them, within the limits, reads their calls, writes their answers, and lets them go.
final class ClientTable {
    private let loop: EventLoop
    private let listener: ListeningSocket
    private let limits: Limits
    private let log: Logger
    private let owner: any ClientOwner

    private(set) var sessions: [Int: ClientSession] = [:]
    private var lastID = 0
    private(set) var connectionsOfUser: [UInt32: Int] = [:]
    private var accepting: EventSource?
    private var stallTimer: EventSource?
    private var isStallTimerRunning = false
    /// Every read goes through this one buffer, so that an idle client costs none.
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    /// Seconds after which a client that reads nothing, while something waits for it, is disconnected: longer than any
    /// program that is only busy, short enough that a stopped one does not hold a place for ever.
    static let longestStall = 30.0
    /// How many connections are accepted in one turn of the loop, so that a storm of them starves nobody.
    private static let acceptsPerTurn = 32

    /// Serves on `loop`, for `owner`.
    init(
        listener: consuming ListeningSocket, limits: Limits, loop: EventLoop, log: Logger, owner: any ClientOwner
    ) throws(SystemError) {
        self.listener = listener
        self.limits = limits
        self.loop = loop
        self.log = log
        self.owner = owner
        accepting = try loop.watch(self.listener.descriptor, for: .read) { [weak self] _ in self?.accept() }
        stallTimer = try loop.timer { [weak self] in self?.dropStalled() }
    }

    isolated deinit {
        scratch.deallocate()
    }

    /// Answers what waits, and writes what the client takes; lets it go when it is over.
    func serve(_ session: ClientSession) {
        guard sessions[session.id] === session else { return }
        while let call = session.nextCall() { owner.answer(call, session) }
        do throws(SocketError) {
            try session.flush(at: BootClock.now())
        } catch {
            return drop(session)
        }
        if session.isOver { return drop(session) }
        owner.hasWritten(to: session)
        if !session.isCaughtUp, !isStallTimerRunning {
            isStallTimerRunning = true
            stallTimer?.fire(after: Self.longestStall)
        }
    }

    private func ready(_ session: ClientSession, _ readiness: Readiness) {
        do throws(SocketError) {
            if readiness.contains(.read) { try session.receive(into: scratch) }
            serve(session)
            guard readiness.isHungUp else { return }
            // What was sent before the peer closed still counts: a oneway call, for example.
            while session.isReading {
                try session.receive(into: scratch)
                serve(session)
            }
            drop(session)
        } catch {
            drop(session)
        }
    }

    private func drop(_ session: ClientSession) {
        guard sessions.removeValue(forKey: session.id) != nil else { return }
        if let fault = session.fault { log.info("disconnected a client of user \(session.user): \(fault)") }
        connectionsOfUser[session.user, default: 1] -= 1
        if connectionsOfUser[session.user] == 0 { connectionsOfUser[session.user] = nil }
        // A descriptor is free again.
        accepting?.resume()
        owner.hasLeft(session)
    }

    private func dropStalled() {
        let now = BootClock.now()
        for session in sessions.values {
            guard let since = session.stalledSince, now - since >= Self.longestStall else { continue }
            log.info("disconnected a client of user \(session.user) that has read nothing for \(Int(now - since)) s")
            drop(session)
        }
        let oldest = sessions.values.compactMap(\.stalledSince).min()
        isStallTimerRunning = oldest != nil
        if let oldest { stallTimer?.fire(after: oldest + Self.longestStall - now) }
    }
}

// MARK: Accepting

extension ClientTable {
    private func accept() {
        do throws(SocketError) {
            for _ in 0..<Self.acceptsPerTurn {
                guard let socket = try listener.accept() else { return }
                try admit(socket)
            }
        } catch .outOfDescriptors {
            // Whoever waits goes on waiting; without this the loop would spin.
            log.warning("no descriptor is left for another client; clients wait until one leaves")
            accepting?.pause()
        } catch {
            log.warning("a client could not be accepted: \(error)")
        }
    }

    private func admit(_ socket: consuming StreamSocket) throws(SocketError) {
        let user = try socket.peerCredentials().user
        guard let limit = limitReached(by: user) else { return open(socket, user: user) }
        log.notice("refused a client of user \(user): \(limit)")
        let refusal = EncodedMessage(error: limit.reply)
        // Said without being asked: the client takes it for the answer to its first call.
        _ = try refusal.withBytes { (bytes) throws(SocketError) in try socket.send(bytes) }
    }

    private func limitReached(by user: UInt32) -> OrientationFailure? {
        if sessions.count >= limits.connections {
            return .limitReached(limit: "connections", maximum: limits.connections)
        }
        if user != 0, connectionsOfUser[user, default: 0] >= limits.connectionsPerUser {
            return .limitReached(limit: "connections of one user", maximum: limits.connectionsPerUser)
        }
        return nil
    }

    private func open(_ socket: consuming StreamSocket, user: UInt32) {
        lastID += 1
        let session = ClientSession(id: lastID, socket: socket, user: user, limits: limits)
        do throws(SystemError) {
            try session.watch(on: loop) { [weak self, weak session] readiness in
                if let session { self?.ready(session, readiness) }
            }
        } catch {
            return log.warning("a client of user \(user) could not be served: \(error)")
        }
        sessions[session.id] = session
        connectionsOfUser[user, default: 0] += 1
    }
}
