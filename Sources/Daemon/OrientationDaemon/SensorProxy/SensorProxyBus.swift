// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Systemd

/// The connection of the SensorProxy service to the system bus: performs ``BusEffect``, and appends ``BusEvent`` to the
/// queue.
final class SensorProxyBus {
    static let name = "net.hadess.SensorProxy"
    private static let path = "/net/hadess/SensorProxy"
    private static let compassName = "net.hadess.SensorProxy.Compass"
    private static let compassPath = "/net/hadess/SensorProxy/Compass"

    private let queue: EventQueue
    private let log: Logger
    private var link: BusLink?
    private var bus: BusConnection?
    private var busName: BusName?
    private var watches: [Claimant: BusSlot] = [:]
    /// Pending claims and releases.
    private var calls: [BusCallID: BusCall] = [:]
    private var lastCall = 0
    /// The users of clients. A bus gives a unique name to one client only.
    private var users: [String: UInt32] = [:]
    /// What waits for the bus's reply with the user of a client: one call for each client.
    private var lookups: [String: [(User) -> Void]] = [:]
    /// The changes for claimants that were not sent yet, the newest value of each property: they wait while the queue of the
    /// connection is full.
    private var unsent: [Claimant: [SensorProxyValues.Property]] = [:]
    private var values = SensorProxyValues()
    /// The edges that the programs of users receive instead of the device's.
    private var shown: [UInt32: PanelEdge] = [:]
    /// The reads of the orientation that were deferred, with the users of their callers; nil if unknown.
    private var reads: [OpaquePointer: UInt32?] = [:]
    /// The edge that the property read in progress returns; nil for the device's.
    private var readEdge: PanelEdge?

    /// The user of a client, or the refusal of its claim.
    typealias User = Result<UInt32, ClaimRefusal>
    /// The limit of clients in ``users`` and in ``lookups``. 2048: dbus-daemon has no more connections.
    static let clientLimit = 2_048
    /// The limit of reads in ``lookups`` by one client; further ones return the orientation of the device.
    static let readsPerClient = 8

    /// Connects to the system bus, or to the bus at `address`, as soon as `loop` runs.
    init(loop: EventLoop, address: String? = nil, queue: EventQueue, log: Logger) throws(SystemError) {
        self.queue = queue
        self.log = log
        link = try BusLink(on: loop, address: address, log: log) { [unowned self] bus throws(SystemError) in
            try connected(bus)
        } lost: { [unowned self] in
            disconnected()
        }
        link?.reconnect()
    }

    func perform(_ effect: BusEffect) {
        switch effect {
        case .requestName: change(requestName)
        case .reacquireName: change { () throws(SystemError) in try busName?.reacquire() }
        case .publish(let values, let shown): (self.values, self.shown) = (values, shown)
        case .signal(let claimant, let changes):
            let names = changes.map(\.name)
            unsent[claimant] = (unsent[claimant] ?? []).filter { !names.contains($0.name) } + changes
            sendChanges()
        case .claim(let effect): perform(effect)
        }
    }

    private func perform(_ effect: ClaimEffect) {
        switch effect {
        case .identify(let claimant):
            findUser(of: claimant.client) { [queue] in queue.append(.bus(.identified(claimant, $0))) }
        case .authorize(let claimant, let user): authorize(claimant, user: user)
        case .watch(let claimant): watch(claimant)
        case .unwatch(let claimant):
            watches[claimant] = nil
            unsent[claimant] = nil
        case .reply(let call): calls.removeValue(forKey: call)?.reply()
        case .refuse(let call, let refusal):
            calls.removeValue(forKey: call)?.replyError(refusal.error.name, refusal.error.text)
        }
    }

    /// Sends the changes that wait, while the queue of the connection has room. To be called after each callback of the loop.
    func sendChanges() {
        while let bus, bus.hasRoom, let (claimant, changes) = unsent.popFirst() {
            let isCompass = claimant.sensor == .compass
            do throws(SystemError) {
                try bus.sendPropertiesChanged(
                    of: isCompass ? Self.compassName : Self.name, at: isCompass ? Self.compassPath : Self.path, changes,
                    to: claimant.client)
            } catch {
                // Without memory: sent after the next callback. If the connection has ended, the claim ends, too.
                unsent[claimant] = changes
                return
            }
        }
    }

    private func change(_ name: () throws(SystemError) -> Void) {
        do throws(SystemError) { try name() } catch {
            link?.retry()
            queue.append(.bus(.name(.failed(error.description))))
        }
    }

    private func connected(_ bus: BusConnection) throws(SystemError) {
        try export(Self.name, \.all, on: bus, at: Self.path) { $0 != .compass }
        try export(Self.compassName, \.compass, on: bus, at: Self.compassPath) { $0 == .compass }
        self.bus = bus
        queue.append(.bus(.connected))
    }

    private func export(
        _ name: String, _ properties: KeyPath<SensorProxyValues, [SensorProxyValues.Property]>, on bus: BusConnection,
        at path: String, serves: (SensorKind) -> Bool
    ) throws(SystemError) {
        let interface = BusInterface(
            name: name, methods: Self.methods.filter { serves($0.value.sensor) }.keys.sorted(),
            properties: values[keyPath: properties], answer: { [unowned self] in received($0) },
            isDeferred: { [unowned self] in isDeferred($0) },
            read: { [unowned self] property in
                values.showing(readEdge)[keyPath: properties].first { $0.name == property }?.value
            })
        try bus.export(interface, at: path)
    }

    /// Defers a read of the orientation that depends on the user of the caller, until the bus has replied.
    private func isDeferred(_ call: BusCall) -> Bool {
        let caller = reads.removeValue(forKey: call.id)
        readEdge = caller?.flatMap { shown[$0] }
        guard caller == nil, !shown.isEmpty, lookups[call.sender]?.count ?? 0 < Self.readsPerClient,
            call.reads("AccelerometerOrientation", of: Self.name)
        else { return false }
        findUser(of: call.sender) { [unowned self] user in
            // Without a known user the read returns the edge of the device.
            reads.updateValue(try? user.get(), forKey: call.id)
            call.dispatch()
        }
        return true
    }

    private func disconnected() {
        busName = nil
        watches = [:]
        calls = [:]
        users = [:]
        lookups = [:]
        unsent = [:]
        reads = [:]
        bus = nil
        queue.append(.bus(.disconnected))
    }

    /// The methods of both interfaces.
    private static let methods: [String: (sensor: SensorKind, isClaim: Bool)] = [
        "ClaimAccelerometer": (.accelerometer, true), "ReleaseAccelerometer": (.accelerometer, false),
        "ClaimLight": (.light, true), "ReleaseLight": (.light, false),
        "ClaimProximity": (.proximity, true), "ReleaseProximity": (.proximity, false),
        "ClaimCompass": (.compass, true), "ReleaseCompass": (.compass, false),
    ]

    private func received(_ call: BusCall) {
        guard let (sensor, isClaim) = Self.methods[call.member] else { return call.reply() }
        let claimant = Claimant(client: call.sender, sensor: sensor)
        queue.append(.bus(isClaim ? .claim(keep(call), by: claimant) : .release(keep(call), by: claimant)))
    }

    private func keep(_ call: BusCall) -> BusCallID {
        lastCall += 1
        calls[lastCall] = call
        return lastCall
    }

    private func requestName() throws(SystemError) {
        if let busName { return try busName.request() }
        guard let bus else { return }
        busName = try BusName(Self.name, on: bus) { [unowned self] ownership in
            if case .failed = ownership { link?.retry() } else { link?.connectionEstablished() }
            queue.append(.bus(.name(ownership)))
        }
    }

    private func findUser(of client: String, found: @escaping (User) -> Void) {
        if let user = users[client] { return found(.success(user)) }
        guard lookups[client] == nil else {
            lookups[client]?.append(found)
            return
        }
        guard let bus else { return }
        guard lookups.count < Self.clientLimit else { return found(.failure(.tooMany("clients"))) }
        lookups[client] = [found]
        let finish = { [unowned self] (user: UInt32?, failure: String?) in
            if users.count >= Self.clientLimit { users = [:] }
            users[client] = user
            let reason = "Not authorized: the bus does not name the user of the client: \(failure ?? "invalid reply")"
            for found in lookups.removeValue(forKey: client) ?? [] {
                found(user.map { .success($0) } ?? .failure(.denied(reason)))
            }
        }
        do throws(SystemError) {
            try callDriver(bus, "GetConnectionUnixUser", client) { finish($0.readUnsigned(), $0.error?.text) }
        } catch { finish(nil, error.description) }
    }

    private func authorize(_ claimant: Claimant, user: UInt32) {
        guard let bus else { return }
        PolkitCheck.start(for: claimant.client, of: user, on: bus) { [queue] refusal in
            queue.append(.bus(.authorized(claimant, refusal: refusal)))
        }
    }

    /// Reports when a client leaves the bus, even if it has left already, or that the bus does not watch it.
    private func watch(_ claimant: Claimant) {
        guard let bus else { return }
        let vanished = { [queue] in queue.append(.bus(.vanished(claimant))) }
        do throws(SystemError) {
            watches[claimant] = try bus.watch(
                from: BusConnection.driver, "\(BusConnection.rule(about: claimant.client)),member='NameOwnerChanged'"
            ) { _ in vanished() }
            try callDriver(bus, "GetNameOwner", claimant.client) { [unowned self] reply in
                guard let error = reply.error, watches[claimant] != nil else { return }
                // The bus may only be late.
                if error.name == "org.freedesktop.DBus.Error.NoReply" { watch(claimant) } else { vanished() }
            }
        } catch { vanished() }
    }

    private func callDriver(
        _ bus: BusConnection, _ method: String, _ client: String,
        reply: @escaping (borrowing BusMessage) -> Void
    ) throws(SystemError) {
        try bus.call(bus.newDriverCall(method, about: client), timeout: PolkitCheck.timeout, reply: reply)
    }
}
