// SPDX-License-Identifier: Apache-2.0

import Calibration
import Glibc
import OrientationClient
import OrientationModel

/// The file of udev's hardware database that holds this machine's calibration.
///
/// Whatever fails on the way, the file is afterwards as it was before.
struct CalibrationFile {
    private let system: SystemRoot
    /// After systemd's own 60-sensor.hwdb, so that it wins.
    var path: String { system.prefix + place }
    private var folder: String { system.prefix + Self.folder }
    private var place: String { "\(Self.folder)/61-orientationd-calibration.hwdb" }

    private static let folder = "/etc/udev/hwdb.d"

    private static let remark =
        "# Made by 'orientationctl calibrate --write'; 'orientationctl calibrate --undo' removes it.\n"

    init(_ system: SystemRoot) {
        self.system = system
    }

    /// - Throws: ``Failure``, when the file cannot be changed; told before anybody is asked for anything.
    func checkPermission() throws {
        guard geteuid() == 0 || !system.prefix.isEmpty else {
            throw Failure("only root may change \(folder): run it with sudo")
        }
    }

    /// Puts the entry in the place of a former one, and lets udev take it up.
    func install(_ entry: HardwareDatabaseEntry) throws {
        let former = system.text(place)
        do {
            try replace(with: Self.remark + entry.text)
            try takeUp()
        } catch {
            try restore(former, after: error)
        }
    }

    /// Removes the file, and lets udev forget it.
    ///
    /// - Returns: what it said.
    func remove() throws -> String {
        guard let former = system.text(place) else {
            throw Failure("there is no calibration to undo: \(path) does not exist")
        }
        do {
            guard unlink(path) == 0 else { throw Failure.system(path) }
            try takeUp()
        } catch {
            try restore(former, after: error)
        }
        return former
    }

    private func takeUp() throws {
        if system.prefix.isEmpty {
            try SystemCommand.run("systemd-hwdb", "update")
        } else {
            try SystemCommand.run("systemd-hwdb", "--root", system.prefix, "update")
        }
        // udev looks for a new database only every few seconds, unless it is told.
        try SystemCommand.run("udevadm", "control", "--reload")
        try SystemCommand.run("udevadm", "trigger", "--settle", "--action=change", "--subsystem-match=iio")
    }

    private func restore(_ former: String?, after error: any Error) throws -> Never {
        if let former { try? replace(with: former) } else { unlink(path) }
        try? takeUp()
        throw Failure("\(error); everything is as it was")
    }

    /// A reader finds either the former file or the new one, also after a loss of power.
    private func replace(with text: String) throws {
        for folder in ["/etc", "/etc/udev", Self.folder] { mkdir(system.prefix + folder, 0o755) }
        try WholeFile(path: path, isSynchronized: true).write(text)
    }
}

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
