// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import Glibc
internal import OrientationClientCore
internal import OrientationModel
internal import OrientationWire
internal import Posix
package import Systemd
internal import Varlink
internal import VarlinkServer

/// The session agent: constructs its parts, connects events to the policy, and performs its effects.
package final class Agent {
    private let loop: EventLoop
    private let log: Logger
    private let options: Options
    private let session: DisplaySession
    private let open: (DisplaySession, @escaping DisplayServerReceiver) throws -> any DisplayServer
    private let name: SessionName?
    private let queue = EventQueue<AgentEvent>()
    /// Nil in a dry run, which may run beside another agent.
    private let lock: SessionLock?
    private var policy: AutorotatePolicy
    private var display: (any DisplayServer)?
    private var daemon: DaemonSubscription?
    private var service: DisplayService?
    private let apps: AppLookup
    private let notification: SuggestionNotification
    /// The call that sets the rotation lock, until its reply.
    private var lockCall: (source: EventSource, call: ServiceCall)?
    private var command: RotationCommand?
    /// Only for `--when tablet`.
    private var chassis: ChassisWatch?
    private var timers: [AutorotatePolicy.Timer: EventSource] = [:]
    private var signals: [EventSource] = []
    /// The reader of `--json`.
    private var reader: EventSource?
    private var hasReader = true

    /// The budget of log lines: a program of the session can cause one with each call of `Hold`. 50: a turn of the device
    /// and its consequences cause fewer.
    private var budget = TokenBucket(burst: 50, interval: 1)
    private var suppressedMessages = 0
    /// Whether a failure to write events was logged.
    private var hasLostEvents = false

    /// Opens the display server of the session.
    ///
    /// - Throws: `DisplayServerError`, `SessionLock.Failure` or `SystemError`: each is a message.
    package convenience init(_ options: Options, log: Logger) throws {
        try self.init(options, environment: Environment.values, loop: EventLoop(), log: log) {
            try $0.openServer(receiver: $1)
        }
    }

    /// Runs on a display server that `open` returns; `chassis` reads the machine's.
    init(
        _ options: Options, environment: [String: String], loop: EventLoop, log: Logger,
        chassis: @escaping ChassisWatch.Reader = Chassis.read,
        open: @escaping (DisplaySession, @escaping DisplayServerReceiver) throws -> any DisplayServer
    ) throws {
        // Ignore SIGPIPE: writes to closed sockets return EPIPE.
        signal(SIGPIPE, SIG_IGN)
        self.options = options
        self.log = log
        self.loop = loop
        self.open = open
        name = SessionName(environment)
        session = DisplaySession(
            environment: environment, loop: loop, log: log, reportsFrontWindow: options.settings.appsWhen != .never)
        apps = AppLookup(AppDeclarations(environment: environment), on: loop) { [queue] in queue.append(.policy($0)) }
        notification = SuggestionNotification(environment: environment, on: loop) { [queue] in queue.append(.policy($0))
        }
        if options.settings.isDryRun { lock = nil } else { lock = try SessionLock(environment: environment) }
        policy = AutorotatePolicy(
            options.settings, initial: lock?.restoreRecord().flatMap { SavedTransform(record: $0) })
        if let text = options.command { command = try RotationCommand(text, on: loop, log: log) }
        for timer in AutorotatePolicy.Timer.allCases {
            timers[timer] = try loop.timer { [queue] in queue.append(.policy(.timer(timer))) }
        }
        for signal in [SIGTERM, SIGINT, SIGHUP] where signal != SIGHUP || !SignalDisposition.isIgnored(signal) {
            signals.append(try loop.watch(signal: signal) { [queue] in queue.append(.policy(.end)) })
        }
        if options.settings.when == .tablet {
            self.chassis = ChassisWatch(on: loop, log: log, chassis) { [queue] in queue.append(.policy(.chassis($0))) }
        }
        display = try openDisplay()
        if !options.settings.isDryRun { serve(in: environment) }
        if options.printsJSON { watchReader() }
    }

    /// Runs until the display server ends, until SIGTERM, SIGINT or SIGHUP, or until the reader of `--json` closes its pipe;
    /// returns the exit status.
    package func run() throws -> Int32 {
        drain()
        do throws(SystemError) { return try loop.run(afterEach: drain) } catch {
            // One failed call: the loop can run on, to restore the rotation.
            log.critical("\(error)")
            queue.append(.policy(.end))
            drain()
            _ = try loop.run(afterEach: drain)
            return EXIT_FAILURE
        }
    }

    private func openDisplay() throws -> any DisplayServer {
        try open(session) { [queue] event in queue.append(.policy(.display(event))) }
    }

    /// Waits for the server as at the start: seconds at most, in which nothing can be rotated.
    private func reopenDisplay() {
        display = nil
        do { display = try openDisplay() } catch {
            let isPermanent = (error as? DisplayServerError)?.isPermanent ?? false
            handle(isPermanent ? .display(.ended("\(error)")) : ended("\(error)"))
        }
    }

    /// A connection that ends while its server runs is lost, whichever end closed it.
    private func ended(_ reason: String) -> AutorotatePolicy.Event {
        name?.isServed ?? false ? .displayLost(reason: reason) : .display(.ended(reason))
    }

    /// Ends the agent when the reader of standard output closes its pipe.
    private func watchReader() {
        // epoll refuses files, which have no reader. Without memory the agent outlives its reader.
        reader = try? loop.watch(STDOUT_FILENO, for: []) { [weak self] readiness in
            guard let self, readiness.isHungUp else { return }
            reader = nil
            hasReader = false
            queue.append(.policy(.end))
        }
    }

    /// Serves apps. A failure is reported; the display still rotates.
    private func serve(in environment: [String: String]) {
        do {
            service = try DisplayService(
                path: DisplayInterface.socket(in: environment["XDG_RUNTIME_DIR"] ?? ""), loop: loop, log: log,
                report: { [queue] in queue.append(.client($0)) })
        } catch {
            print(.notServing("\(error)"))
        }
    }

    /// Handles all events. Clients receive the decision that follows from all of them.
    private func drain() {
        repeat {
            while let event = queue.popFirst() { handle(event) }
        } while service?.settle({ policy.explanation }) ?? false || !queue.isEmpty
    }

    private func handle(_ event: AgentEvent) {
        switch event {
        case .policy(let event):
            if case .display(let event) = event { log.debug("display: \(event)") }
            if case .display(.ended(let reason)) = event { handle(ended(reason)) } else { handle(event) }
        case .client(let event):
            guard let holds = service?.handle(event) else { return }
            handle(.holds(holds))
        }
    }

    private func handle(_ event: AutorotatePolicy.Event) {
        for effect in policy.handle(event, at: MonotonicClock.now()) { perform(effect) }
    }

    private func perform(_ effect: AutorotatePolicy.Effect) {
        switch effect {
        case .apply(let outputs): display?.apply(outputs)
        case .alignInput(let output): display?.alignInput(with: output)
        case .reopenDisplay: reopenDisplay()
        case .follow(.nothing): daemon = nil
        case .follow(let following): follow(withSensor: following == .device)
        case .startTimer(let timer, let seconds): timers[timer]?.fire(after: seconds)
        case .stopTimer(let timer): timers[timer]?.pause()
        case .runCommand(let state, let previous, let output, let transform):
            command?.run(
                state.commandVariables(previous: previous)
                    + [("OUTPUT", output), ("OUTPUT_ROTATION", "\(transform.rotation)")])
        case .findApp(let window): apps.find(window)
        case .showSuggestion: notification.show()
        case .withdrawSuggestion: notification.withdraw()
        case .lock(let edge): setLock(to: edge)
        case .report(let report): print(report)
        case .writeRestoreRecord(let saved): writeRestoreRecord(saved.record)
        case .removeRestoreRecord: writeRestoreRecord("")
        case .exit: exit(hasReader ? EXIT_SUCCESS : AgentExit.readerClosed)
        }
    }

    private func writeRestoreRecord(_ text: String) {
        guard let code = lock?.writeRestoreRecord(text), code != 0 else { return }
        log.warning(
            "restore record: cannot write: \(Errno(code)); the next agent cannot restore the rotation"
        )
    }

    private func writeEvent(_ report: AgentMessage) {
        let code = EventOutput.write("\(report.json)")
        // The end of a reader is handled by `watchReader`.
        guard code != 0, code != EPIPE, !hasLostEvents else { return }
        hasLostEvents = true
        log.warning("standard output: cannot write: \(Errno(code)); events are lost")
    }

    private func logSuppressedMessages() {
        if suppressedMessages > 0 { log.notice("suppressed \(suppressedMessages) messages; --json prints all") }
        suppressedMessages = 0
    }

    private func exit(_ status: Int32) {
        logSuppressedMessages()
        command?.stop()
        notification.withdraw()
        service?.flush()
        loop.exit(status: status)
    }

    private func follow(withSensor sensor: Bool) {
        do {
            daemon = try DaemonSubscription(socket: options.socket, sensor: sensor, on: loop, queue: queue)
        } catch OrientationServiceError.unusablePath(let reason) {
            queue.append(.policy(.daemonRefused(reason: reason)))
        } catch {
            // Without descriptors or memory: started again by the session.
            log.critical("\(error)")
            exit(EXIT_FAILURE)
        }
    }

    private func setLock(to edge: Edge) {
        do {
            let call = try ServiceCall(
                Call(ControlInterface.setRotationLock, ["locked": true, "edge": .string(edge.description)]),
                to: .daemon(socketPath: options.socket), timeout: OrientationConnection.stateTimeout)
            let source = try loop.watch(call.fileDescriptor, for: .read) { [unowned self] _ in receiveLockReply() }
            lockCall = (source, call)
        } catch {
            queue.append(.policy(.lockFailed("\(error)")))
        }
    }

    private func receiveLockReply() {
        do {
            if try lockCall?.call.next() == nil { return }
        } catch {
            queue.append(.policy(.lockFailed("\(error)")))
        }
        lockCall = nil
    }

    private func print(_ report: AgentMessage) {
        if options.printsJSON { writeEvent(report) }
        guard report.kind == .displayEnded || budget.take(at: MonotonicClock.now()) else {
            suppressedMessages += 1
            return
        }
        logSuppressedMessages()
        log.log(level: report.isWarning ? .warning : .info, "\(report)")
    }
}

/// An event of the agent: sources append it to the queue, and call nothing else.
private enum AgentEvent {
    case policy(AutorotatePolicy.Event)
    case client(ClientEvent)
}

/// The subscription to the daemon, in the event loop.
private final class DaemonSubscription {
    private let connection: OrientationConnection
    private var source: EventSource?
    private let queue: EventQueue<AgentEvent>

    init(socket: String?, sensor: Bool, on loop: EventLoop, queue: EventQueue<AgentEvent>) throws {
        self.queue = queue
        connection = try OrientationConnection(.daemon(socketPath: socket), sensor: sensor)
        source = try loop.watch(connection.fileDescriptor, for: .read) { [weak self] _ in self?.process() }
        process()
    }

    private func process() {
        do {
            for update in try connection.process() {
                switch update {
                case .state(let state): queue.append(.policy(.state(state)))
                case .notConnected(let reason): queue.append(.policy(.daemonLost(reason: reason)))
                }
            }
        } catch {
            // The connection has ended: the permissions or the daemon must change first.
            source = nil
            queue.append(.policy(.daemonRefused(reason: "\(error)")))
        }
    }
}
