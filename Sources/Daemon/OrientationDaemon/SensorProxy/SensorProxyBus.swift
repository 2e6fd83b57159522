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
    private var values = SensorProxyValues()
    /// The edges that the programs of users receive instead of that of the device.
    private var shown: [UInt32: PanelEdge] = [:]
    /// The deferred reads of the orientation with the users of their callers; nil if unknown.
    private var reads: [OpaquePointer: UInt32?] = [:]
    /// The edge that the property read in progress returns; nil for that of the device.
    private var readEdge: PanelEdge?

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
        do throws(SystemError) {
            try attempt(effect)
        } catch {
            link?.abandon("\(error)")
        }
    }

    private func attempt(_ effect: BusEffect) throws(SystemError) {
        switch effect {
        case .requestName: try requestName()
        case .reacquireName: try busName?.reacquire()
        case .publish(let values, let shown): (self.values, self.shown) = (values, shown)
        case .signal(let claimant, let changes):
            let isCompass = claimant.sensor == .compass
            try bus?.sendPropertiesChanged(
                of: isCompass ? Self.compassName : Self.name, at: isCompass ? Self.compassPath : Self.path, changes,
                to: claimant.client)
        case .identify(let claimant):
            try findUser(of: claimant.client) { [queue] in queue.append(.bus(.identified(claimant, user: $0))) }
        case .authorize(let claimant, let user): authorize(claimant, user: user)
        case .watch(let claimant): try watch(claimant)
        case .unwatch(let claimant): watches[claimant] = nil
        case .reply(let call): calls.removeValue(forKey: call)?.reply()
        case .discard(let call): calls[call] = nil
        case .refuse(let call, let name, let text): calls.removeValue(forKey: call)?.replyError(name, text)
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

    /// Defers a read of the orientation that depends on the user of the caller, until the bus has replied. Reads over the
    /// limit return the orientation of the device.
    private func isDeferred(_ call: BusCall) -> Bool {
        let caller = reads.removeValue(forKey: call.id)
        readEdge = caller?.flatMap { shown[$0] }
        guard caller == nil, !shown.isEmpty, reads.count < ClaimTable<BusCallID>.identifications,
            call.reads("AccelerometerOrientation", of: Self.name)
        else { return false }
        do throws(SystemError) {
            try findUser(of: call.sender) { [unowned self] user in
                reads.updateValue(user, forKey: call.id)
                call.dispatch()
            }
        } catch { return false }
        reads.updateValue(nil, forKey: call.id)
        return true
    }

    private func disconnected() {
        busName = nil
        watches = [:]
        calls = [:]
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
            link?.connectionEstablished()
            queue.append(.bus(.name(ownership)))
        }
    }

    /// Requests the user of a client; `found` receives nil if the client has left the bus.
    private func findUser(of client: String, found: @escaping (UInt32?) -> Void) throws(SystemError) {
        guard let bus else { return }
        try callDriver(bus, "GetConnectionUnixUser", client) { found($0.error == nil ? $0.readUnsigned() : nil) }
    }

    private func authorize(_ claimant: Claimant, user: UInt32) {
        guard let bus else { return }
        PolkitCheck.start(for: claimant.client, of: user, on: bus) { [queue] refusal in
            queue.append(.bus(.authorized(claimant, refusal: refusal)))
        }
    }

    /// Reports when a client leaves the bus, even if it has left already.
    private func watch(_ claimant: Claimant) throws(SystemError) {
        guard let bus else { return }
        let slot = try bus.watch(
            "type='signal',sender='\(Self.driver)',path='/org/freedesktop/DBus',interface='\(Self.driver)',"
                + "member='NameOwnerChanged',arg0='\(claimant.client)'"
        ) { [queue] _ in
            queue.append(.bus(.vanished(claimant)))
        }
        watches[claimant] = slot
        try callDriver(bus, "GetNameOwner", claimant.client) { [queue] reply in
            if reply.error != nil { queue.append(.bus(.vanished(claimant))) }
        }
    }

    private static let driver = "org.freedesktop.DBus"

    private func callDriver(
        _ bus: BusConnection, _ method: String, _ client: String,
        reply: @escaping (borrowing BusMessage) -> Void
    ) throws(SystemError) {
        let call = try bus.newCall(to: Self.driver, "/org/freedesktop/DBus", Self.driver, method)
        call.append(.string(client))
        try bus.call(call, timeout: PolkitCheck.timeout, reply: reply)
    }
}
