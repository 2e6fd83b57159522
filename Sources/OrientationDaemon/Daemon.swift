// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import IIOSensing
package import Logging
internal import OrientationWire
internal import Sensing
internal import Systemd
package import Varlink

/// The daemon: a sensor, a state, and whoever wants to know it.
package final class Daemon {
    private let loop: EventLoop
    private let log: Logger
    private let sensor: SensorControl
    private let calls: OrientationCalls
    private let service: Service
    private var clients: ClientTable?
    private var signals: [EventSource] = []
    private var exitTimer: EventSource?

    /// Where samples can come from; a new source is a row.
    private static let sources = IIOSources.rows + [ReplaySource.row, FakeSource.row]

    /// Seconds that the sensor has to close when the daemon is to end.
    private static let patienceAtExit = 2.0

    /// Makes everything ready to ``run()``.
    package init(_ options: Options, limits: Limits = Limits(), log: Logger) throws {
        self.log = log
        loop = try EventLoop()
        let uri = try SensorURI(parsing: options.sensor, table: Self.sources)
        let relay = ReportRelay()
        sensor = try SensorControl(uri: uri, loop: loop, log: log) { relay.receiver?.take($0) }
        calls = try OrientationCalls(
            loop: loop, sensor: sensor, keeper: StateKeeper(instance: try InstanceName.make()))
        service = Service(
            .init(
                vendor: "orientationd", product: "orientationd", version: Version.current,
                url: "man:orientationd(8)"),
            interfaces: [try OrientationInterface.description()])
        relay.receiver = calls
        let listener = try Listener.make(options, log: log)
        clients = try ClientTable(listener: listener, limits: limits, loop: loop, log: log, owner: self)
        calls.serve = { [weak self] session in self?.clients?.serve(session) }
        try watchSignals()
    }

    /// Serves until it is told to end; returns the exit status.
    package func run() throws -> Int32 {
        loop.keepWatchdogFed()
        ServiceManager.ready()
        return try loop.run()
    }

    private func watchSignals() throws {
        for signal in [SIGTERM, SIGINT] {
            signals.append(try loop.watch(signal: signal) { [weak self] in self?.end() })
        }
        signals.append(try loop.watch(signal: SIGHUP) { [weak self] in self?.reload() })
        exitTimer = try loop.timer { [loop] in loop.exit(status: 0) }
    }

    private func reload() {
        ServiceManager.reloading()
        log.info("opening the sensor anew")
        sensor.reload()
        ServiceManager.ready()
    }

    private func end() {
        ServiceManager.stopping()
        // Closes every connection, and removes the socket if it was made here.
        clients = nil
        exitTimer?.fire(after: Self.patienceAtExit)
        sensor.close { [loop] in loop.exit(status: 0) }
    }
}

extension Daemon: ClientOwner {
    func answer(_ call: Call, _ session: ClientSession) {
        if let answer = service.answer(to: call) {
            session.send(answer)
        } else {
            calls.answer(call, session)
        }
    }

    func hasWritten(to session: ClientSession) { calls.hasWritten(to: session) }

    func hasLeft(_ session: ClientSession) { calls.forget(session) }
}

/// What the sensor reports to, which is made after it.
private final class ReportRelay {
    weak var receiver: OrientationCalls?
}
