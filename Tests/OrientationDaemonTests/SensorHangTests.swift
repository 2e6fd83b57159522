// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import OrientationModel
import Sensing
import Systemd
import Testing

@testable import OrientationDaemon

/// A sensor from which a call does not come back.
@Suite(.timeLimit(.minutes(10))) struct SensorHangTests {
    private let source = StuckSource()
    private let remarks = Remarks()

    @Test func `whoever waits for the list of sensors is told that it hangs, and has the list when it does not`() throws
    {
        let loop = try EventLoop()
        let kind = SourceKind(
            scheme: "stuck", takesAddress: false,
            open: { [source] _, _ throws(SensorFailure) in source },
            survey: { [source] _, _ throws(SensorFailure) in [source.info] })
        var told: [String] = []
        var control: SensorControl?
        control = try SensorControl(
            uri: try SensorURI(parsing: "stuck", table: [kind]), settings: .standard, loop: loop,
            log: Logger(label: "test") { [remarks] _ in RemarkHandler(remarks: remarks) }, longestCall: 0.05
        ) { report in
            guard case .decided = report else { return }
            control?.survey { outcome in
                let list = (try? outcome.get()) ?? []
                told += list.map { "\($0.name), \($0.lastError ?? "no error")" }
                control?.close { loop.exit(status: 0) }
            }
        } motion: { _ in
        }
        control?.setWanted(true, by: .orientation)
        control?.survey { _ in }
        // The first list comes before the sensor is asked for a sample, or hangs with it; the second hangs in any case.
        source.whenAsked = { [source] in
            MainActor.assumeIsolated {
                control?.survey { outcome in
                    if case .failure(let failure) = outcome { told.append(failure.description) }
                    control?.survey { outcome in
                        if case .failure(let failure) = outcome { told.append(failure.description) }
                        source.release()
                    }
                }
            }
        }
        let asked = try loop.watch(source.asked.fileHandleForReading.fileDescriptor, for: .read) { [source] _ in
            _ = source.asked.fileHandleForReading.availableData
            source.whenAsked?()
        }
        #expect(try loop.run() == 0)
        withExtendedLifetime(asked) {}
        // Its own answers hold it.
        control = nil
        source.whenAsked = nil
        let hang = "test has not answered for 0 seconds"
        #expect(told == [hang, hang, "stuck, \(hang)"])
        #expect(remarks.texts.filter { $0.hasPrefix("no sensor") } == ["no sensor: \(hang)"])
    }

    @Test func `a sensor that is still being opened is closed before it is said that all is`() throws {
        let loop = try EventLoop()
        let (opening, mayOpen, life) = (Pipe(), DispatchSemaphore(value: 0), Life())
        let kind = SourceKind(
            scheme: "slow", takesAddress: false,
            open: { _, _ throws(SensorFailure) in
                opening.fileHandleForWriting.write(Data([1]))
                mayOpen.wait()
                return SlowSource(life)
            }, survey: { _, _ throws(SensorFailure) in [] })
        let control = try SensorControl(
            uri: try SensorURI(parsing: "slow", table: [kind]), settings: .standard, loop: loop, log: Self.silent
        ) { _ in
        } motion: { _ in
        }
        control.setWanted(true, by: .orientation)
        var told: [String] = []
        let watch = try loop.watch(opening.fileHandleForReading.fileDescriptor, for: .read) { _ in
            _ = opening.fileHandleForReading.availableData
            control.close {
                told = life.events
                loop.exit(status: 0)
            }
            // Whoever wants it now comes too late.
            control.reload()
            mayOpen.signal()
        }
        #expect(try loop.run() == 0)
        withExtendedLifetime(watch) {}
        #expect(told == ["opened", "closed"])
    }

    private static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// A source whose first reading lasts until it is released. Unchecked: the thread touches what is constant alone.
private nonisolated final class StuckSource: Accelerometer, @unchecked Sendable {
    let info = SensorDescription(id: "test", name: "stuck")
    let keepsReadersPace = false
    /// Says that the reading has begun.
    let asked = Pipe()
    var whenAsked: (() -> Void)?
    private let gate = DispatchSemaphore(value: 0)
    private var readings = 0

    func release() { gate.signal() }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        if readings == 0 {
            asked.fileHandleForWriting.write(Data([1]))
            gate.wait()
        }
        readings += 1
        guard readings == 1 else { return .pause(seconds: 3_000) }
        return .sample(Sample(time: now, acceleration: Acceleration(x: 0, y: 9.8, z: 0)))
    }
}

/// What becomes of a source. Unchecked: all of it is behind the lock.
private nonisolated final class Life: @unchecked Sendable {
    private let lock = NSLock()
    private var said: [String] = []

    var events: [String] { lock.withLock { said } }

    func note(_ event: String) { lock.withLock { said.append(event) } }
}

/// A source that says nothing, and notes when it is opened and closed.
private nonisolated final class SlowSource: Accelerometer {
    let info = SensorDescription(id: "test", name: "slow")
    let keepsReadersPace = false
    private let life: Life

    init(_ life: Life) {
        self.life = life
        life.note("opened")
    }

    deinit {
        life.note("closed")
    }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep { .pause(seconds: 3_000) }
}
