// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import Systemd

/// Answers to `net.hadess.SensorProxy` on the system bus, so that desktops that speak to iio-sensor-proxy need not know
/// us: its accelerometer, and no other sensor.
final class SensorProxyFace {
    static let name = "net.hadess.SensorProxy"
    static let path = "/net/hadess/SensorProxy"
    static let compassName = "net.hadess.SensorProxy.Compass"
    static let compassPath = "/net/hadess/SensorProxy/Compass"

    /// Seconds that a claim waits for the first reading.
    static let patience = 2.0

    private let sensor: SensorControl
    private let log: Logger
    private var claims = ClaimTable<BusCall>()
    private var values = SensorProxyValues()
    /// The values that the listeners were told last.
    private var told = SensorProxyValues()
    /// Whether the sensor came or went after the name appeared, with which clients look whether there is one.
    private var hasPresenceChanged = false
    private var lastReport = SensorReport.off
    private var link: BusLink?
    private var presence: SensorPresence?
    private var firstReadingTimer: EventSource?
    private var isTimerRunning = false
    private var nameTimer: EventSource?

    private var bus: BusConnection?
    private var busName: BusName?
    private var watches: [String: BusSlot] = [:]

    /// Connects as soon as `loop` runs.
    init(loop: EventLoop, sensor: SensorControl, log: Logger) throws(SystemError) {
        self.sensor = sensor
        self.log = log
        presence = SensorPresence(sensor: sensor) { [weak self] in self?.found($0) }
        firstReadingTimer = try loop.timer { [unowned self] in
            isTimerRunning = false
            perform(claims.answerWaiting())
        }
        nameTimer = try loop.timer { [unowned self] in askForName() }
        link = try BusLink(on: loop, log: log) { [unowned self] bus throws(SystemError) in
            try opened(bus)
        } lost: { [unowned self] in
            lost()
        }
        link?.reconnect()
    }

    /// There is something to say about the sensor.
    func take(_ report: SensorReport) {
        lastReport = report
        values.take(report)
        announce()
        if report.isAnswer { perform(claims.answerWaiting()) }
        // It may have been unplugged.
        if case .unavailable = report { presence?.look() }
    }

    /// A device came, went or changed.
    func devicesChanged() { presence?.look() }

    /// Somebody wants everything tried anew.
    func reload() {
        presence?.look()
        guard let busName else { return }
        attempt { () throws(SystemError) in try busName.request() }
    }

    /// Whether there is nothing to wait for before a claim is answered.
    private var isKnown: Bool { lastReport.isAnswer || !values.hasAccelerometer }

    private func found(_ isThere: Bool) {
        values.hasAccelerometer = isThere
        announce()
        if !isThere { perform(claims.answerWaiting()) }
        // Who finds the name must find its sensor as well.
        askForName()
    }

    private func announce() {
        let changes = values.changes(since: told)
        guard !changes.isEmpty else { return }
        let hasCome = values.hasAccelerometer && !told.hasAccelerometer
        if values.hasAccelerometer != told.hasAccelerometer { hasPresenceChanged = true }
        told = values
        // Who claims nothing is told nothing; but all watch the name, which iio-sensor-proxy has only with a sensor.
        if let busName, hasCome, !claims.isHeld {
            attempt { () throws(SystemError) in try busName.appearAnew() }
            hasPresenceChanged = false
        }
        for client in claims.listeners { tell(client, changes) }
    }

    /// Tells a client that begins to listen what it may have read when it was otherwise.
    private func welcome(_ client: String) {
        let present = values.hasAccelerometer
        let read = SensorProxyValues.unread(hasAccelerometer: hasPresenceChanged ? !present : present)
        tell(client, values.changes(since: read))
    }

    private func tell(_ client: String, _ changes: [(name: String, value: BusValue)]) {
        guard let bus, !changes.isEmpty else { return }
        attempt { () throws(SystemError) in
            try bus.tellChanges(of: Self.name, at: Self.path, changes, to: client)
        }
    }

    private func perform(_ actions: [ClaimTable<BusCall>.Action]) {
        for action in actions {
            switch action {
            case .ask(let client): ask(client)
            case .watch(let client): watch(client)
            case .unwatch(let client): watches[client] = nil
            case .tell(let client): welcome(client)
            case .answer(let call): call.reply()
            case .refuse(let call, .denied(let reason)):
                call.refuse("org.freedesktop.DBus.Error.AccessDenied", reason)
            case .refuse(let call, .tooMany(let what)):
                call.refuse("org.freedesktop.DBus.Error.LimitsExceeded", "There are too many \(what) at a time")
            }
        }
        sensor.setWanted(claims.isHeld, by: .desktop)
        guard claims.isAwaited != isTimerRunning else { return }
        isTimerRunning = claims.isAwaited
        isTimerRunning ? firstReadingTimer?.fire(after: Self.patience) : firstReadingTimer?.pause()
    }

    /// A bus that takes nothing more is given up, and tried anew.
    private func attempt(_ body: () throws(SystemError) -> Void) {
        do throws(SystemError) {
            try body()
        } catch {
            log.warning("\(error): connecting to the bus anew")
            link?.reconnect()
        }
    }
}

// MARK: The bus

extension SensorProxyFace {
    private func opened(_ bus: BusConnection) throws(SystemError) {
        try bus.export(
            BusInterface(
                name: Self.name,
                methods: [
                    "ClaimAccelerometer", "ReleaseAccelerometer", "ClaimLight", "ReleaseLight", "ClaimProximity",
                    "ReleaseProximity",
                ], properties: values.all,
                answer: { [unowned self] in answer($0) },
                read: { [unowned self] property in values.all.first { $0.name == property }?.value }),
            at: Self.path)
        try bus.export(
            BusInterface(
                name: Self.compassName, methods: ["ClaimCompass", "ReleaseCompass"],
                properties: SensorProxyValues.compass,
                answer: { $0.reply() },
                read: { property in SensorProxyValues.compass.first { $0.name == property }?.value }),
            at: Self.compassPath)
        self.bus = bus
        presence?.look()
        nameTimer?.fire(after: Self.patience)
    }

    /// Takes the name, if that was not tried yet. A sensor that hangs while it is looked for does not hold this up.
    private func askForName() {
        guard let bus, busName == nil else { return }
        nameTimer?.pause()
        hasPresenceChanged = false
        attempt { () throws(SystemError) in
            busName = try BusName(Self.name, on: bus) { [unowned self] in hear($0) }
        }
    }

    private func hear(_ standing: BusName.Standing) {
        link?.isWell()
        switch standing {
        case .ours: log.info("desktops are served over D-Bus, as \(Self.name)")
        case .queued:
            log.warning("\(Self.name) belongs to another program: desktops ask that one until it ends, and then us")
            perform(claims.removeAll())
        case .refused(let reason):
            log.warning(
                "desktops are not served over D-Bus: \(reason) (is orientationd's policy for the bus installed? reload to try again)"
            )
        }
    }

    private func lost() {
        busName = nil
        perform(claims.removeAll())
        nameTimer?.pause()
        bus = nil
    }

    private func answer(_ call: BusCall) {
        switch call.member {
        case "ClaimAccelerometer": perform(claims.claim(by: call.sender, call, isKnown: isKnown))
        case "ReleaseAccelerometer":
            perform(claims.release(by: call.sender))
            call.reply()
        // Of sensors that are not there a claim comes to nothing, and is granted.
        default: call.reply()
        }
    }

    private func ask(_ client: String) {
        guard let bus else { return }
        PolkitQuestion.ask(for: client, on: bus) { [unowned self] refusal in
            perform(claims.decided(client, refusal: refusal, isKnown: isKnown))
        }
    }

    /// Hears when a client vanishes, also if it has before it was listened for.
    private func watch(_ client: String) {
        guard let bus else { return }
        let gone = { [unowned self] in perform(claims.vanished(client)) }
        attempt { () throws(SystemError) in
            let driver = "org.freedesktop.DBus"
            watches[client] = try bus.watch(
                "type='signal',sender='\(driver)',path='/org/freedesktop/DBus',interface='\(driver)',"
                    + "member='NameOwnerChanged',arg0='\(client)'"
            ) { _ in gone() }
            let call = try bus.newCall(to: driver, "/org/freedesktop/DBus", driver, "GetNameOwner")
            call.append(.string(client))
            try bus.call(call, patience: PolkitQuestion.patience) { if $0.error != nil { gone() } }
        }
    }
}
