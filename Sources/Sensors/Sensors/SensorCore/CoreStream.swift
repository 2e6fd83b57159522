// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix

/// The events of one sensor of the core, from a socket of its own: closing it ends the stream.
final class CoreStream {
    let sensor: CoreSensor
    private let socket: any CoreSocket
    /// The events of the last report that were not taken, the newest first, with times of CLOCK_BOOTTIME in seconds.
    private var events: [(event: CoreEvent, time: Double)] = []
    private var lastTime = -Double.infinity
    /// The time of the first value: until ``settlingTime`` later, values that are not stable yet are dropped.
    private var firstTime: Double?
    /// Whether ``next(at:_:)`` has returned a value.
    private(set) var hasValues = false
    private var isServerKnown = false
    private var transaction: UInt16 = 0
    /// Whether a datagram or an event could not be read.
    private var hasMalformed = false
    /// The last event with the configuration of the sensor, for reports; empty before.
    private(set) var configuration = ""

    /// The datagrams that a call reads at most: a process that floods the socket must not occupy the thread.
    private static let readsAtOnce = 64
    /// The longest time between the events of a report, in seconds.
    private static let longestReport = 1.0
    private static let settlingTime = 1.0

    /// Starts the sensor; `hertz` is the lowest sufficient rate of a streaming one.
    init(_ sensor: CoreSensor, rate hertz: Double, socket: any CoreSocket) throws(SensorFailure) {
        self.sensor = sensor
        self.socket = socket
        // For the notice that the core was removed.
        try send(ControlPacket.lookUp, to: .control(of: socket.node))
        try request(rate: hertz)
    }

    var warnings: [String] { hasMalformed ? ["the sensor core sends messages that cannot be read"] : [] }

    /// No value yet: wait for a datagram.
    var wait: SourceWait { .input(descriptor: socket.descriptor) }

    /// Requests the events again, at another rate.
    func request(rate hertz: Double) throws(SensorFailure) {
        transaction &+= 1
        let request: CoreRequest =
            sensor.attributes.sendsChanges
            ? .changes(sensor.uid) : .stream(sensor.uid, rate: sensor.rate(atLeast: hertz))
        try send(request.datagram(transaction: transaction), to: sensor.server)
    }

    private func send(_ bytes: [UInt8], to address: QRTRAddress) throws(SensorFailure) {
        do throws(Errno) { try socket.send(bytes, to: address) } catch { throw failure("cannot send: \(error)") }
    }

    private func failure(_ reason: String) -> SensorFailure { .failed("\(sensor.id): sensor core: \(reason)") }

    /// Returns the next value and its time; nil if none is queued. `read` returns the value of an event and its accuracy, and
    /// nil for an event without a value.
    func next<Value>(
        at now: Double, _ read: (CoreEvent) throws(Malformed) -> (value: Value, accuracy: UInt64)?
    ) throws(SensorFailure) -> (value: Value, time: Double)? {
        if events.isEmpty { try receive(at: now) }
        while let (event, time) = events.popLast() {
            if event.message == CoreEvent.error, let code = try? event.errorCode() {
                throw failure("error \(code)")
            }
            if event.message == CoreEvent.configuration { configuration = event.statement }
            do throws(Malformed) {
                guard let (value, accuracy) = try read(event) else { continue }
                let first = firstTime ?? time
                firstTime = first
                // The only value until a change must not be dropped.
                let isSettling = time - first < Self.settlingTime && !sensor.attributes.sendsChanges
                if accuracy == 0, isSettling { continue }
                hasValues = true
                return (value, time)
            } catch {
                hasMalformed = true
            }
            if events.isEmpty { try receive(at: now) }
        }
        return nil
    }

    /// Reads datagrams up to one with events.
    private func receive(at now: Double) throws(SensorFailure) {
        for _ in 0..<Self.readsAtOnce where events.isEmpty {
            let datagram: (bytes: ArraySlice<UInt8>, source: QRTRAddress)?
            do throws(Errno) { datagram = try socket.receive() } catch { throw failure("cannot receive: \(error)") }
            guard let (bytes, source) = datagram else { return }
            if source == .control(of: socket.node) {
                try checkServer(bytes)
            } else if source == sensor.server {
                if let message = try? CoreMessage(bytes) { try take(message, at: now) } else { hasMalformed = true }
            }
        }
    }

    private func checkServer(_ bytes: ArraySlice<UInt8>) throws(SensorFailure) {
        // A malformed packet is as one about another server.
        switch try? ControlPacket(bytes) {
        case .added(sensor.server): isServerKnown = true
        case .endOfList where isServerKnown: break
        case .endOfList, .removed(sensor.server): throw .gone("\(sensor.id): the sensor core was removed")
        default: break
        }
    }

    /// The time of a report is that of its arrival, which the last event has: the core's clock is another one.
    private func take(_ message: CoreMessage, at now: Double) throws(SensorFailure) {
        switch message {
        case .response(let error?): throw failure("the request was refused: QMI error \(error)")
        case .response(nil): break
        case .report(let report) where report.sensor == sensor.uid:
            let last = report.events.last?.ticks ?? 0
            for event in report.events {
                let age = Double(last > event.ticks ? last - event.ticks : 0) / CoreEvent.ticksPerSecond
                lastTime = max(now - min(age, Self.longestReport), lastTime)
                events.append((event, lastTime))
            }
            events.reverse()
        case .report: break
        }
    }
}
