// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import Posix

/// Finds the sensor core and lists its sensors: datagrams and the timer in, effects out.
///
/// A core may start late, discard requests until its registry is served, or need a minute for an answer: without progress the
/// requests are sent again from another socket, with exponential backoff. The former list stays until another one arrives, or
/// the core is removed.
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

    /// The time without an answer after which the state says so, in seconds.
    static let silence = 5.0
    /// The nodes that are known to be sensor cores, the best first: SLPI (SDSP) and ADSP.
    private static let knownNodes: [UInt32] = [9, 5]
    /// The most servers that are kept: a machine has one or two.
    private static let mostServers = 16

    package private(set) var list = CoreList()
    private let types: [CoreType]
    private let permitsLocal: Bool
    /// The node of this machine; nil without a socket.
    private var node: UInt32?
    private var servers: [QRTRAddress] = []
    /// Whether the name service has sent the end of its first list.
    private var hasAllServers = false
    private var server: QRTRAddress?
    /// The server of the lists and the attributes.
    private var listedServer: QRTRAddress?
    private var lists: [CoreType: [SensorUID]] = [:]
    private var attributes: [SensorUID: CoreAttributes] = [:]
    /// The sensors whose attributes were requested from this socket.
    private var requested: Set<SensorUID> = []
    private var isAcknowledged = false
    private var refusal: UInt32?
    private var transaction: UInt16 = 0
    private var isTimerSet = false
    /// Whether ``silence`` has passed without progress.
    private var isOverdue = false
    private var timeout = ExponentialBackoff(initial: 20, maximum: 160)
    private var failureRetry = ExponentialBackoff(initial: 1, maximum: 160)

    /// Lists sensors of these types. `permitsLocal`: the service may be that of a process of this machine, for tests.
    package init(types: [CoreType], permitsLocal: Bool) {
        self.types = types
        self.permitsLocal = permitsLocal
    }

    /// Handles a new socket of the node of this machine.
    package mutating func opened(node: UInt32) -> [Effect] {
        self.node = node
        (servers, hasAllServers, server) = ([], false, nil)
        isTimerSet = true
        let wake = Effect.wake(after: isOverdue ? timeout.next() : Self.silence)
        // After a timeout the state stays until more is known.
        return [.send(ControlPacket.lookUp, to: .control(of: node)), wake] + (isOverdue ? [] : publish())
    }

    /// Handles an error of the socket.
    package mutating func failed(_ error: Errno) -> [Effect] {
        // A lost datagram: the timer sends it again.
        guard error.code != EAGAIN else { return [] }
        (node, server, isOverdue) = (nil, nil, false)
        let isUnsupported = error.code == EAFNOSUPPORT
        isTimerSet = !isUnsupported
        return [.wake(after: isUnsupported ? nil : failureRetry.next())] + publish(.noSocket(error.description))
    }

    package mutating func timerFired() -> [Effect] {
        isTimerSet = false
        guard node != nil else { return [.open] }
        guard !isOverdue else { return publish() + [.open] }
        isOverdue = true
        isTimerSet = true
        return [.wake(after: timeout.next() - Self.silence)] + publish()
    }

    /// Handles a datagram.
    package mutating func received(_ bytes: ArraySlice<UInt8>, from source: QRTRAddress) -> [Effect] {
        if let node, source == .control(of: node) { return receivedControl(bytes) }
        guard source == server else {
            list.foreign += 1
            return []
        }
        do throws(Malformed) {
            switch try CoreMessage(bytes) {
            case .response(let error):
                isAcknowledged = true
                refusal = error
                return update()
            case .report(let report):
                var effects: [Effect] = []
                for event in report.events { effects += try handle(event, of: report.sensor) }
                return effects + update()
            }
        } catch {
            list.malformed += 1
            return update()
        }
    }

    // MARK: The name service

    private mutating func receivedControl(_ bytes: ArraySlice<UInt8>) -> [Effect] {
        switch try? ControlPacket(bytes) {
        case nil: list.malformed += 1
        case .endOfList: hasAllServers = true
        case .added(let address):
            guard !servers.contains(address), servers.count < Self.mostServers else { return [] }
            servers.append(address)
        case .removed(let address):
            servers.removeAll { $0 == address }
            if address == listedServer { list.restarts += 1 }
        case .other: return []
        }
        return choose()
    }

    /// Connects to the best server, if it is another one.
    private mutating func choose() -> [Effect] {
        guard hasAllServers else { return [] }
        let eligible = servers.filter { permitsLocal || $0.node != node }
        let best = eligible.min { Self.rank($0) < Self.rank($1) }
        var effects: [Effect] = []
        if best != listedServer {
            (lists, attributes, listedServer, isAcknowledged, refusal) = ([:], [:], best, false, nil)
            if let best, !Self.knownNodes.contains(best.node), best.node != node {
                effects.append(.log("the sensor core is at the unknown node \(best.node)"))
            }
        }
        guard best != server || best == nil else { return [] }
        (server, requested) = (best, [])
        return effects + types.compactMap { request(.lookUp($0.rawValue)) } + update()
    }

    private static func rank(_ server: QRTRAddress) -> Int {
        knownNodes.firstIndex(of: server.node) ?? knownNodes.count
    }

    private mutating func request(_ request: CoreRequest) -> Effect? {
        transaction &+= 1
        return server.map { .send(request.datagram(transaction: transaction), to: $0) }
    }

    // MARK: The core

    private mutating func handle(_ event: CoreEvent, of sensor: SensorUID) throws(Malformed) -> [Effect] {
        if sensor == .lookUp {
            guard event.message == CoreEvent.list else { return [] }
            let (name, sensors) = try event.listedSensors()
            guard let type = CoreType(rawValue: name), types.contains(type) else { return [] }
            lists[type] = sensors
            return sensors.filter { requested.insert($0).inserted }.compactMap { request(.attributes(of: $0)) }
        }
        guard requested.contains(sensor) else { return [] }
        if event.message == CoreEvent.attributes { attributes[sensor] = try CoreAttributes(event) }
        if event.message == CoreEvent.error, try event.errorCode() == 6 { attributes[sensor]?.isAvailable = false }
        return []
    }

    // MARK: The state

    /// Why there is no list, as far as a wait can change it; nil if nothing is missing.
    private var problem: CoreState? {
        guard hasAllServers else { return .noNameService }
        if let refusal { return .refused(refusal) }
        guard !lists.isEmpty else { return .silent(isAcknowledged: isAcknowledged) }
        guard lists.values.contains(where: { !$0.isEmpty }) else { return .noSensors }
        guard !attributes.isEmpty else { return .silent(isAcknowledged: true) }
        let accelerometers = (lists[.accelerometer] ?? []).compactMap { attributes[$0] }
        return accelerometers.isEmpty || accelerometers.contains(where: \.isAvailable) ? nil : .unavailable
    }

    private mutating func update() -> [Effect] {
        guard hasAllServers, server == nil || problem == nil else {
            guard !isTimerSet else { return publish() }
            isTimerSet = true
            return [.wake(after: Self.silence)] + publish()
        }
        isOverdue = false
        timeout.reset()
        failureRetry.reset()
        let cancel: [Effect] = isTimerSet ? [.wake(after: nil)] : []
        isTimerSet = false
        return cancel + publish()
    }

    /// Updates the list; returns ``Effect/changed`` if it has changed.
    private mutating func publish(_ failure: CoreState? = nil) -> [Effect] {
        let former = (list.sensors, list.state)
        list.sensors = sensors
        list.state =
            if let failure {
                failure
            } else if hasAllServers, server == nil {
                servers.isEmpty ? .noService : .onlyLocal
            } else if let problem {
                isOverdue ? problem : hasAllServers ? .connecting : .searching
            } else {
                .ready
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
