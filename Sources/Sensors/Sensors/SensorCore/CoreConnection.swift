// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import Posix

/// Finds the sensor core and lists its sensors: datagrams and the timer in, effects out.
///
/// A core may start late, discard requests until its registry is served, or need a minute for an answer: without progress the
/// requests are sent again from another socket, with exponential backoff. The former list and state stay until more is known,
/// or the core is removed.
package struct CoreConnection: Sendable {
    package enum Effect: Equatable, Sendable {
        /// Close the socket and open another one; call ``opened(node:)`` or ``failed(_:)``.
        case open
        /// Send a datagram; call ``failed(_:)`` if that fails.
        case send([UInt8], to: QRTRAddress)
        /// Call ``timerFired()`` after this many seconds, replacing an earlier request; nil: not.
        case wake(after: Double?)
        /// The sensors or the state have changed.
        case changed
        case log(String)
    }

    private enum Phase: Equatable {
        /// The socket has failed; another one follows after some seconds.
        case closed(CoreState, retry: Double)
        /// The name service has not sent the end of its first list.
        case searching
        /// There is no server: the name service announces later ones.
        case absent
        /// The server has not answered all that matters.
        case asking
        case ready
    }

    /// The time without an answer after which the state says so, in seconds.
    static let silence = 5.0
    /// The longest time until another attempt, in seconds.
    static let longestTimeout = 160.0
    /// The nodes that are known to be sensor cores, the best first: SLPI (SDSP) and ADSP.
    private static let knownNodes: [UInt32] = [9, 5]

    package private(set) var list = CoreList()
    private let types: [CoreType]
    /// The types of which one sensor must be available; without it the core is asked again.
    private let essential: [CoreType]
    private let permitsLocal: Bool
    private var phase = Phase.searching
    /// The node of this machine; nil without a socket.
    private var node: UInt32?
    /// The best server that the name service has listed.
    private var server: QRTRAddress?
    /// The number of servers of this machine, which are not used.
    private var localServers = 0
    /// The server of the lists and the attributes.
    private var listedServer: QRTRAddress?
    private var lists: [CoreType: [SensorUID]] = [:]
    private var attributes: [SensorUID: CoreAttributes] = [:]
    /// The listed sensors whose attributes were requested from this socket.
    private var requested: Set<SensorUID> = []
    private var isAcknowledged = false
    private var refusal: UInt32?
    /// Whether a datagram was lost since the socket was opened.
    private var hasLoss = false
    private var transaction: UInt16 = 0
    /// Whether ``silence`` has passed without progress.
    private var isOverdue = false
    /// The time for an answer, in seconds.
    private var attempt = Self.silence
    private var timeout = ExponentialBackoff(initial: 20, maximum: Self.longestTimeout)
    private var failureRetry = ExponentialBackoff(initial: 1, maximum: Self.longestTimeout)

    /// Lists sensors of these types. `permitsLocal`: the service may be that of a process of this machine, for tests.
    package init(types: [CoreType], permitsLocal: Bool) {
        self.types = types
        self.permitsLocal = permitsLocal
        essential = types.contains(.accelerometer) ? [.accelerometer] : types
    }

    /// Handles a new socket of the node of this machine.
    package mutating func opened(node: UInt32) -> [Effect] {
        self.node = node
        (server, localServers, requested, hasLoss) = (nil, 0, [], false)
        attempt = isOverdue ? timeout.next() : Self.silence
        phase = .searching
        return [.send(ControlPacket.lookUp, to: .control(of: node)), .wake(after: timer)]
    }

    /// Handles an error of the socket.
    package mutating func failed(_ error: Errno) -> [Effect] {
        // A datagram was lost: the next socket sends it again.
        guard error.code != EAGAIN else {
            hasLoss = true
            return update()
        }
        (node, server, isOverdue) = (nil, nil, false)
        return enter(
            error.code == EAFNOSUPPORT
                ? .closed(.noSocket(error.description), retry: Self.longestTimeout)
                : .closed(.failed(error.description), retry: failureRetry.next()))
    }

    package mutating func timerFired() -> [Effect] {
        switch phase {
        case .closed: return [.open]
        case .searching, .asking:
            guard !isOverdue else { return publish() + [.open] }
            isOverdue = true
            attempt = timeout.next() - Self.silence
            return enter(phase)
        case .absent, .ready: return []
        }
    }

    /// Handles a datagram.
    package mutating func received(_ bytes: ArraySlice<UInt8>, from source: QRTRAddress) -> [Effect] {
        if let node, source == .control(of: node) { return receivedControl(bytes) }
        // Datagrams of others, and those that cannot be read, change nothing.
        guard source == server, let message = try? CoreMessage(bytes) else { return [] }
        var effects: [Effect] = []
        switch message {
        case .response(let error): (isAcknowledged, refusal) = (true, error)
        case .report(let report):
            for event in report.events { effects += (try? handle(event, of: report.sensor)) ?? [] }
        }
        return effects + update()
    }

    // MARK: The name service

    private mutating func receivedControl(_ bytes: ArraySlice<UInt8>) -> [Effect] {
        switch try? ControlPacket(bytes) {
        case .endOfList where phase == .searching: return connect()
        case .added(let address) where isLocal(address): localServers += 1
        case .added(let address) where server.map { Self.rank(address) < Self.rank($0) } ?? true:
            server = address
            return phase == .searching ? [] : connect()
        case .removed(let address) where isLocal(address): localServers = max(localServers - 1, 0)
        case .removed(server):
            if listedServer == server { list.restarts += 1 }
            server = nil
            forget()
            // Another look-up lists the other servers.
            return enter(.absent) + [.open]
        // As one about another server.
        case nil, .endOfList, .added, .removed, .other: break
        }
        return phase == .searching ? [] : publish()
    }

    private func isLocal(_ server: QRTRAddress) -> Bool { server.node == node && !permitsLocal }

    private static func rank(_ server: QRTRAddress) -> Int {
        knownNodes.firstIndex(of: server.node) ?? knownNodes.count
    }

    private mutating func forget() {
        (listedServer, lists, attributes) = (nil, [:], [:])
        (requested, isAcknowledged, refusal) = ([], false, nil)
    }

    /// Asks the best server for its sensors.
    private mutating func connect() -> [Effect] {
        if server != listedServer { forget() }
        guard let server else { return enter(.absent) }
        let isNew = server != listedServer && server.node != node && !Self.knownNodes.contains(server.node)
        listedServer = server
        let note: [Effect] = isNew ? [.log("the sensor core is at the unknown node \(server.node)")] : []
        return note + types.map { request(.lookUp($0.rawValue), to: server) } + enter(.asking)
    }

    private mutating func request(_ request: CoreRequest, to server: QRTRAddress) -> Effect {
        transaction &+= 1
        return .send(request.datagram(transaction: transaction), to: server)
    }

    // MARK: The core

    private mutating func handle(_ event: CoreEvent, of sensor: SensorUID) throws(Malformed) -> [Effect] {
        if sensor == .lookUp {
            guard event.message == CoreEvent.list, let server else { return [] }
            let (name, sensors) = try event.listedSensors()
            guard let type = CoreType(rawValue: name), types.contains(type) else { return [] }
            lists[type] = sensors
            let listed = Set(lists.values.joined())
            requested.formIntersection(listed)
            attributes = attributes.filter { listed.contains($0.key) }
            return sensors.filter { requested.insert($0).inserted }.map { request(.attributes(of: $0), to: server) }
        }
        guard requested.contains(sensor) else { return [] }
        if event.message == CoreEvent.attributes { attributes[sensor] = try CoreAttributes(event) }
        if event.message == CoreEvent.error, try event.errorCode() == 6 { attributes[sensor]?.isAvailable = false }
        return []
    }

    // MARK: The state

    /// Why the core is asked again; nil if nothing is missing.
    private var problem: CoreState? {
        let unanswered = refusal.map(CoreState.refused) ?? .silent(isAcknowledged: isAcknowledged || !lists.isEmpty)
        let known = essential.compactMap { lists[$0] }
        guard !known.isEmpty else { return unanswered }
        guard known.contains(where: { !$0.isEmpty }) else { return .noSensors }
        let described = known.joined().compactMap { attributes[$0] }
        guard !described.isEmpty else { return unanswered }
        guard described.contains(where: \.isAvailable) else { return .unavailable }
        return hasLoss || requested.isEmpty ? unanswered : nil
    }

    /// The time until the timer fires in a phase, in seconds; nil if nothing has to be asked again.
    private var timer: Double? {
        switch phase {
        case .closed(_, let seconds): seconds
        case .searching, .asking: attempt
        case .absent, .ready: nil
        }
    }

    private mutating func enter(_ next: Phase) -> [Effect] {
        phase = next
        if timer == nil {
            (isOverdue, attempt) = (false, Self.silence)
            timeout.reset()
            failureRetry.reset()
        }
        return [.wake(after: timer)] + publish()
    }

    /// Changes the phase if the core has answered, or has lost what it had.
    private mutating func update() -> [Effect] {
        switch (phase, problem) {
        case (.asking, nil): enter(.ready)
        case (.ready, _?): enter(.asking)
        default: publish()
        }
    }

    /// Updates the list; returns ``Effect/changed`` if it has changed.
    private mutating func publish() -> [Effect] {
        let former = (list.sensors, list.state)
        list.sensors = sensors
        list.state =
            switch phase {
            case .closed(let state, _): state
            case .searching: isOverdue ? .noNameService : list.state
            case .absent: localServers > 0 ? .onlyLocal : .noService
            case .asking: isOverdue ? problem ?? .connecting : .connecting
            case .ready: .ready
            }
        return former == (list.sensors, list.state) ? [] : [.changed]
    }

    /// The sensors whose attributes are known, in the order of their hardware ids.
    private var sensors: [CoreSensor] {
        guard let listedServer else { return [] }
        return types.flatMap { type in
            let known = (lists[type] ?? []).compactMap { uid in attributes[uid].map { (uid: uid, attributes: $0) } }
                .sorted { ($0.attributes.hardwareID, $0.uid.low) < ($1.attributes.hardwareID, $1.uid.low) }
            var next: Int64 = 0
            return known.map { uid, attributes in
                // Each has another id, even if two state the same number.
                next = max(next, min(max(attributes.hardwareID, 0), 99))
                defer { next += 1 }
                return CoreSensor(
                    type: type, uid: uid, server: listedServer, id: "\(type.rawValue)\(next)", attributes: attributes)
            }
        }
    }
}
