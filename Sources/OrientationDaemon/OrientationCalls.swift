// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import OrientationWire
internal import Sensing
internal import Systemd
internal import Varlink

/// Answers `org.orientationd.Orientation`, and tells subscribers what changes.
///
/// Orientation is state, not history: a subscriber that does not read is skipped to the newest state, and sees the gap
/// in `sequence`. It delays nobody; only a recording, which has time, waits a moment for those who read it.
final class OrientationCalls: InterfaceCalls {
    let interface = OrientationInterface.name
    private let loop: EventLoop
    private let sensor: SensorControl
    private var keeper: StateKeeper
    private var subscribers = SubscriberList()
    /// The subscribers that have not taken all they were sent.
    private var behind: Set<Int> = []
    private var listings = ListingQueue()
    private var visits: [Int: Visit] = [:]
    private var lastVisit = 0
    /// The visit of each client that waits for its answer; there is one at most, since its call is in progress.
    private var visitOfClient: [Int: Int] = [:]
    private var newest: (sequence: Int, message: EncodedMessage)?
    private var lastReport = SensorReport.off
    private var readerTimer: EventSource?

    /// Writes what a session was given to say.
    var serve: @MainActor (ClientSession) -> Void = { _ in }
    /// Continues the answer to a subscriber that is caught up.
    var tell: @MainActor (ClientSession, EncodedMessage) -> Void = { _, _ in }
    /// Tells a change, with its sequence, to those subscribers that are caught up and have not been told of it.
    var tellAll: @MainActor (ContiguousArray<ClientSession>, EncodedMessage, _ sequence: Int) -> Void = { _, _, _ in }

    /// Whether a client may follow the motion itself, of which a sensor's last vector is a part.
    var mayFollowMotion: @MainActor (ClientSession) -> Bool = { _ in false }

    /// Seconds that a `Get` waits for the first sample, and for which it keeps the sensor on.
    static let patience = 1.0
    /// Seconds for which a recording waits for a subscriber that takes nothing: longer than a busy machine keeps a
    /// program from running, short enough that a stopped one holds it up only once, and briefly.
    static let patienceWithReaders = 3.0

    /// A call that found the sensor off.
    private struct Visit {
        /// Nil once it has been answered.
        var session: ClientSession?
        let answer: @MainActor (ClientSession) -> Void
        /// Ends the visit.
        let timer: EventSource
    }

    init(loop: EventLoop, sensor: SensorControl, keeper: StateKeeper) throws(SystemError) {
        self.loop = loop
        self.sensor = sensor
        self.keeper = keeper
        readerTimer = try loop.timer { [unowned self] in watchReaders() }
    }

    func requirement(for call: Call) -> Authority.Requirement? { nil }

    func answer(_ call: Call, _ session: ClientSession) {
        switch call.method {
        case OrientationInterface.monitor where call.mode == .more: subscribe(session)
        case OrientationInterface.get, OrientationInterface.monitor: get(session)
        case OrientationInterface.listSensors: listSensors(session)
        default: session.send(EncodedMessage(error: .methodNotImplemented(call.method)))
        }
    }

    func forget(_ session: ClientSession) {
        subscribers.remove(session.id)
        listings.remove(session.id)
        if let visit = visitOfClient.removeValue(forKey: session.id) { visits[visit]?.session = nil }
        demandChanged()
        if behind.remove(session.id) != nil { watchReaders() }
    }

    /// There is something to say about the sensor.
    func take(_ report: SensorReport) {
        lastReport = report
        let isNews = keeper.apply(report)
        if report.isAnswer { answerVisits() }
        if isNews { publish() }
    }

    /// The user's rotation lock is to be this.
    func setLock(_ lock: RotationLock) {
        if keeper.apply(lock) { publish() }
    }

    /// The hinge's switch says this; nil where there is none.
    func setTabletMode(_ isTablet: Bool?) {
        if keeper.apply(tabletMode: isTablet) { publish() }
    }

    /// The state now, with what has been measured since its last change.
    var state: OrientationState { keeper.state(measuring: sensor.newest) }

    /// The edge that is up, or was last.
    var edge: Edge? { keeper.state.lastEdge }

    /// One that had fallen behind may be told the newest state now.
    func hasWritten(to session: ClientSession) {
        guard let told = session.told else { return }
        let hasChanged =
            session.isCaughtUp ? behind.remove(session.id) != nil : behind.insert(session.id).inserted
        if hasChanged { watchReaders() }
        if session.isCaughtUp, told < keeper.state.sequence { tellNewest(session) }
    }
}

// MARK: Subscriptions

extension OrientationCalls {
    private func subscribe(_ session: ClientSession) {
        // First, so that the state it is given says that the sensor is being started.
        sensor.setWanted(true, by: .orientation)
        subscribers.insert(session)
        session.isSubscriber = true
        session.told = keeper.state.sequence
        session.send(EncodedMessage(reply: state.reply, continues: true))
    }

    private func publish() {
        guard !subscribers.isEmpty else { return }
        // One that subscribed a moment ago may have been given this state as its first.
        tellAll(subscribers.sessions, newestMessage(), keeper.state.sequence)
    }

    private func tellNewest(_ session: ClientSession) {
        session.told = keeper.state.sequence
        tell(session, newestMessage())
    }

    /// The newest state, encoded once for all subscribers.
    private func newestMessage() -> EncodedMessage {
        let sequence = keeper.state.sequence
        if let newest, newest.sequence == sequence { return newest.message }
        let message = EncodedMessage(reply: keeper.state.reply, continues: true)
        newest = (sequence, message)
        return message
    }

    /// A recording goes no faster than those read it who read at all.
    private func watchReaders() {
        guard sensor.isPacedByReaders else { return }
        let now = BootClock.now()
        let waits = behind.compactMap { id in
            subscribers[id]?.stalledSince.map { $0 + Self.patienceWithReaders - now }
        }
        let wait = waits.filter { $0 > 0 }.max()
        sensor.holdBack(wait != nil)
        if let wait { readerTimer?.fire(after: wait) } else { readerTimer?.pause() }
    }
}

// MARK: Single answers

extension OrientationCalls {
    private func get(_ session: ClientSession) {
        whenKnown(session) { [unowned self] in $0.send(EncodedMessage(reply: state.reply)) }
    }

    /// Answers a call that needs to know how the device is held: at once where that is known, or why it is not; else the
    /// sensor is started for it, and it waits a moment for the first sample.
    func whenKnown(_ session: ClientSession, answer: @escaping @MainActor (ClientSession) -> Void) {
        guard !lastReport.isAnswer else { return answer(session) }
        lastVisit += 1
        let id = lastVisit
        guard let timer = try? loop.timer(handler: { [unowned self] in endVisit(id) }) else { return answer(session) }
        timer.fire(after: Self.patience)
        visits[id] = Visit(session: session, answer: answer, timer: timer)
        visitOfClient[session.id] = id
        demandChanged()
    }

    private func endVisit(_ id: Int) {
        guard let visit = visits.removeValue(forKey: id) else { return }
        if let session = visit.session {
            visitOfClient[session.id] = nil
            visit.answer(session)
            serve(session)
        }
        demandChanged()
    }

    private func answerVisits() {
        for (client, id) in visitOfClient {
            visitOfClient[client] = nil
            guard let visit = visits[id], let session = visit.session else { continue }
            visits[id]?.session = nil
            visit.answer(session)
            serve(session)
        }
    }

    private func listSensors(_ session: ClientSession) {
        if listings.add(session) { survey() }
    }

    /// Looks at the sensors once, for all who asked before.
    private func survey() {
        sensor.survey { [unowned self] outcome in
            let full: EncodedMessage
            let still: EncodedMessage
            switch outcome {
            case .success(let sensors):
                full = EncodedMessage(reply: SensorDescription.reply(sensors))
                still = EncodedMessage(reply: SensorDescription.reply(sensors.map(\.withoutMotion)))
            case .failure(let failure):
                full = EncodedMessage(error: OrientationFailure.sensorUnavailable(reason: failure.description).reply)
                still = full
            }
            let (answered, isMore) = listings.finish()
            for session in answered {
                session.send(mayFollowMotion(session) ? full : still)
                serve(session)
            }
            if isMore { survey() }
        }
    }

    private func demandChanged() {
        sensor.setWanted(!subscribers.isEmpty || !visits.isEmpty, by: .orientation)
    }
}

extension SensorDescription {
    /// What everybody may know: raw motion can tell what somebody types.
    fileprivate nonisolated var withoutMotion: SensorDescription {
        var sensor = self
        sensor.lastVector = nil
        return sensor
    }
}

extension SensorReport {
    /// Whether it answers a client that waits for the first sample.
    nonisolated var isAnswer: Bool {
        switch self {
        case .decided, .unavailable, .ended: true
        case .off, .starting: false
        }
    }
}
