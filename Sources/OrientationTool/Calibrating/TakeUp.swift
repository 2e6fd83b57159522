// SPDX-License-Identifier: Apache-2.0

import Calibration
import OrientationClient
import OrientationModel

/// Sees whether the daemon uses what udev's hardware database now says.
struct TakeUp {
    private let daemon: OrientationService

    /// How long to wait for udev and the daemon, which need a fraction of a second, and the pause between two lists. The
    /// daemon scans at most once a second.
    private static let timeout = Duration.seconds(10)
    private static let pause = Duration.milliseconds(100)
    /// How a sensor's matrix source reads when it comes from there.
    private static let source = "udev ACCEL_MOUNT_MATRIX"

    init(_ daemon: OrientationService) {
        self.daemon = daemon
    }

    /// Waits until the sensor in use has the entry's matrix, and says so.
    ///
    /// - Throws: ``Failure``, when it has another one.
    func confirm(_ entry: HardwareDatabaseEntry) async throws {
        guard let sensor = try await sensor(until: { Self.uses($0, entry.matrix) }) else { return }
        guard Self.uses(sensor, entry.matrix) else {
            throw Failure(
                """
                the entry was written, and yet \(sensor.id) has its matrix from \(sensor.matrixSource): \(sensor.matrixText). \
                Another file in /etc/udev/hwdb.d may come after it; --undo removes it
                """)
        }
        Dialogue.say(
            "The daemon uses it: \(sensor.id), mount matrix from \(sensor.matrixSource): \(sensor.matrixText).")
    }

    /// Waits until no sensor has the matrix of a file that was removed, and says what it has now.
    func confirmRemoval(of file: String) async throws {
        let removed = file.split(whereSeparator: \.isNewline).compactMap { line in
            line.split(separator: "=", maxSplits: 1).last.flatMap { try? MountMatrix(parsing: String($0)) }
        }.first
        let isGone = { (sensor: SensorDescription) in removed.map { !Self.uses(sensor, $0) } ?? true }
        guard let sensor = try await sensor(until: isGone) else { return }
        Dialogue.say("\(sensor.id) now has its mount matrix from \(sensor.matrixSource): \(sensor.matrixText).")
    }

    /// The sensor in use, once it is as it should be, or after a time as it is; nil where there is no daemon to ask.
    private func sensor(until isRight: (SensorDescription) -> Bool) async throws -> SensorDescription? {
        var last: SensorDescription?
        let deadline = ContinuousClock.now + Self.timeout
        repeat {
            do {
                last = try await daemon.sensors().first(where: \.isChosen)
                if let last, isRight(last) { return last }
                try await Task.sleep(for: Self.pause)
            } catch OrientationServiceError.notConnected {
                Dialogue.say("No daemon runs that could take it up; the next one to start does.")
                return nil
            } catch is CancellationError {
                Dialogue.say("Interrupted before the daemon was seen to take it up; orientationctl sensors shows it.")
                return nil
            }
        } while ContinuousClock.now < deadline
        guard let last else {
            throw Failure("the daemon finds no accelerometer any more; orientationctl sensors says why")
        }
        return last
    }

    private static func uses(_ sensor: SensorDescription, _ matrix: MountMatrix) -> Bool {
        sensor.matrixSource == source && sensor.matrix == matrix.elements
    }
}
