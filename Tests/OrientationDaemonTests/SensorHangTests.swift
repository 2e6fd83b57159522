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
            log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, longestCall: 0.05
        ) { report in
            guard case .decided = report else { return }
            control?.survey { outcome in
                told.append((try? outcome.get().map(\.name).joined()) ?? "none")
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
        #expect(told == ["test has not answered for 0 seconds", "test has not answered for 0 seconds", "stuck"])
    }
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
