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
    private var connectionsOfUser: [UInt32: Int] = [:]
    private var accepting: EventSource?
    /// Ends the rest after a connection could not be accepted; nothing else might.
    private var restTimer: EventSource?
    private var isResting = false
    /// Whose clients were refused since they last had none: said once, however often they try.
    private var refusedUsers: Set<UInt32> = []
    private var stallTimer: EventSource?
    private var laterTimer: EventSource?
    /// Clients that had more calls than are answered in one turn.
    private var unfinished: [Int: ClientSession] = [:]
    private var isStallTimerRunning = false
    /// Every read goes through this one buffer, so that an idle client costs none.
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    /// How many calls of one client are answered in one turn of the loop, so that one who pipelines thousands delays
    /// nobody else.
    private static let callsPerTurn = 16
    /// How many connections are accepted in one turn of the loop, so that a storm of them starves nobody.
    private static let acceptsPerTurn = 32
    /// Seconds until it is tried again after a connection could not be accepted, if no client leaves before.
    private static let rest = 1.0

    /// Serves on `loop`, for `owner`.
    init(
        listener: consuming ListeningSocket, limits: Limits, loop: EventLoop, log: Logger, owner: any ClientOwner
    ) throws(SystemError) {
        self.listener = listener
        self.limits = limits
        self.loop = loop
        self.log = log
        self.owner = owner
        // Unowned, here and below: this table owns the sources, and a weak reference, once there was one, makes each
        // retain of its object slower for good.
        accepting = try loop.watch(self.listener.descriptor, for: .read) { [unowned self] _ in accept() }
        laterTimer = try loop.timer { [unowned self] in serveUnfinished() }
        stallTimer = try loop.timer { [unowned self] in dropStalled() }
        restTimer = try loop.timer { [unowned self] in accepting?.resume() }
    }

    isolated deinit {
        // Whoever still has a session keeps it alive, and its handler knows this table.
        for session in sessions.values { session.leave() }
        scratch.deallocate()
    }

    /// Answers what waits, and writes what the client takes; lets it go when it is over.
    func serve(_ session: ClientSession) {
        guard !session.isGone else { return }
        var budget = Self.callsPerTurn
        do throws(SocketError) {
            while true {
                while budget > 0, let call = session.nextCall() {
                    budget -= 1
                    owner.answer(call, session)
                }
                try session.flush()
                if budget == 0 { break }
                // Calls wait as well while too much is unsent; what was sent now has made room for them.
                guard session.isCaughtUp, let call = session.nextCall() else { break }
                budget -= 1
                owner.answer(call, session)
            }
        } catch {
            return drop(session)
        }
        if session.isOver { return drop(session) }
        session.listen()
        if budget == 0 { serveLater(session) }
        owner.hasWritten(to: session)
        watchStall(of: session)
    }

    /// Goes on with a client that has more calls once all others that are ready have been served.
    private func serveLater(_ session: ClientSession) {
        unfinished[session.id] = session
        laterTimer?.fire(after: 0)
    }

    private func serveUnfinished() {
        let sessions = unfinished.values
        unfinished = [:]
        for session in sessions { serve(session) }
    }

    /// Continues the answer to a subscriber that is caught up: the short way of a change to a thousand of them. No call can
    /// come of it, since this one is still in progress.
    func tell(_ session: ClientSession, _ message: EncodedMessage) {
        do throws(SocketError) {
            if try session.tell(message) { return }
        } catch {
            return drop(session)
        }
        session.listen()
        owner.hasWritten(to: session)
        watchStall(of: session)
    }

    /// Tells a change, which `sequence` numbers, to all of these that are caught up and have not been told of it: in one go,
    /// since the way here through the daemon would cost a good part of the telling if it was made for each.
    func tell(_ sessions: ContiguousArray<ClientSession>, _ message: EncodedMessage, sequence: Int) {
        for session in sessions where session.isCaughtUp && session.told != sequence {
            session.told = sequence
            tell(session, message)
        }
    }

    private func watchStall(of session: ClientSession) {
        guard !session.isCaughtUp, !isStallTimerRunning else { return }
        isStallTimerRunning = true
        stallTimer?.fire(after: limits.longestStall)
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
        unfinished[session.id] = nil
        session.leave()
        // For debugging only: whoever connects could fill the log with it, and a log that is not read holds up the loop.
        if let fault = session.fault { log.debug("disconnected a client of user \(session.user): \(fault)") }
        connectionsOfUser[session.user, default: 1] -= 1
        if connectionsOfUser[session.user] == 0 {
            connectionsOfUser[session.user] = nil
            refusedUsers.remove(session.user)
        }
        // A descriptor is free again.
        accepting?.resume()
        owner.hasLeft(session)
    }

    private func dropStalled() {
        let now = BootClock.now()
        let stalled = sessions.values.filter { $0.stalledSince.map { now - $0 >= limits.longestStall } ?? false }
        for session in stalled { drop(session) }
        if !stalled.isEmpty {
            let clients = stalled.count == 1 ? "a client that has" : "\(stalled.count) clients that have"
            log.info("disconnected \(clients) read nothing for \(Int(limits.longestStall)) s")
        }
        let oldest = sessions.values.compactMap(\.stalledSince).min()
        isStallTimerRunning = oldest != nil
        if let oldest { stallTimer?.fire(after: oldest + limits.longestStall - now) }
    }
}

// MARK: Accepting

extension ClientTable {
    private func accept() {
        for _ in 0..<Self.acceptsPerTurn {
            do throws(SocketError) {
                guard let socket = try listener.accept() else { return }
                isResting = false
                admit(socket)
            } catch {
                return rest(after: error)
            }
        }
    }

    /// Whoever waits goes on waiting, and the listening socket says so all the time: without a rest the loop would spin.
    private func rest(after error: SocketError) {
        if !isResting { log.warning("clients have to wait before they are accepted: \(error)") }
        isResting = true
        accepting?.pause()
        restTimer?.fire(after: Self.rest)
    }

    private func admit(_ socket: consuming StreamSocket) {
        // One who has gone already has no credentials, and is not missed.
        guard let user = try? socket.peerCredentials().user else { return }
        guard let limit = limitReached(by: user) else { return open(socket, user: user) }
        if refusedUsers.insert(user).inserted { log.notice("refused a client of user \(user): \(limit)") }
        let refusal = EncodedMessage(error: limit.reply)
        // Said without being asked: the client takes it for the answer to its first call.
        _ = try? refusal.withBytes { (bytes) throws(SocketError) in try socket.send(bytes) }
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
            try session.watch(on: loop) { [unowned self, id = session.id] readiness in
                if let session = sessions[id] { ready(session, readiness) }
            }
        } catch {
            return log.warning("a client of user \(user) could not be served: \(error)")
        }
        sessions[session.id] = session
        connectionsOfUser[user, default: 0] += 1
    }
}
