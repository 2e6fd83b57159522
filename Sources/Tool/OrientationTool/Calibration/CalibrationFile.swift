// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationClient
import OrientationModel

/// The file of udev's hardware database, or of its rules, with this machine's calibration.
///
/// A failed change restores the previous file.
struct CalibrationFile {
    private let system: SystemRoot
    private let isRule: Bool
    var path: String { system.prefix + fullPath }
    private var fullPath: String { "\(folder)/\(isRule ? Self.ruleName : Self.name)" }
    private var folder: String { "/etc/udev/\(isRule ? "rules.d" : "hwdb.d")" }
    private var subsystem: String { isRule ? SensorCore.subsystem : "iio" }

    /// Sorts after systemd's 60-sensor.hwdb, and so overrides it.
    static let name = "61-orientationd-calibration.hwdb"
    /// Sorts after the rules of distributions for a model, such as 81-libssc-*.rules, and so overrides them.
    private static let ruleName = "99-orientationd-calibration.rules"

    private static let comment =
        "# Written by 'orientationctl calibrate --write'; 'orientationctl calibrate --undo' removes it.\n"

    init(_ system: SystemRoot, isRule: Bool = false) {
        self.system = system
        self.isRule = isRule
    }

    var exists: Bool { system.exists(fullPath) }

    /// Checks before the first pose whether the file can be changed.
    func checkPermission() throws {
        guard geteuid() == 0 || !system.prefix.isEmpty else {
            throw Failure("\(system.prefix + folder): permission denied: requires root; use sudo")
        }
        if isReadOnly {
            throw Failure(
                "\(system.prefix + folder): read-only file system: omit --write: the printed entry \(Self.place(isRule: isRule))"
            )
        }
    }

    /// Whether the file system of the folder, or of the one in which it would be made, is read-only.
    var isReadOnly: Bool {
        let folders = [folder, "/etc/udev", "/etc"].map { system.prefix + $0 }
        guard let folder = folders.first(where: { access($0, F_OK) == 0 }) else { return false }
        return access(folder, W_OK) != 0 && errno == EROFS
    }

    /// Where a change belongs on a system whose /etc is made from a configuration.
    static func place(isRule: Bool = false) -> String {
        "belongs in the configuration that makes this folder (NixOS: services.udev.\(isRule ? "extraRules" : "extraHwdb"))"
    }

    /// Writes the entry, replacing a previous one, and makes udev apply it.
    func install(_ entry: HardwareDatabaseEntry) throws {
        let previous = system.text(fullPath)
        try replace(with: Self.comment + entry.text)
        try apply(orRestore: previous)
    }

    /// Removes the file, and makes udev apply that.
    ///
    /// - Returns: The text of the file.
    func remove() throws -> String {
        guard let previous = system.text(fullPath) else {
            throw Failure("\(path): not found: no calibration to undo")
        }
        try delete()
        try apply(orRestore: previous)
        return previous
    }

    /// Makes udev apply the file; if that fails, restores the previous one.
    private func apply(orRestore previous: String?) throws {
        do {
            try applyDatabase()
        } catch let cause {
            do {
                if let previous { try replace(with: previous) } else { try delete() }
            } catch {
                throw Failure("\(cause); cannot undo the change: \(error)")
            }
            do {
                try applyDatabase()
            } catch {
                throw Failure(
                    """
                    \(cause); \(previous == nil ? "removed the new file" : "restored the previous file"), but cannot apply \
                    that: \(error); run 'sudo systemd-hwdb update && sudo udevadm trigger --action=change \
                    --subsystem-match=\(subsystem)'
                    """)
            }
            throw Failure("\(cause); \(previous == nil ? "nothing was changed" : "restored the previous calibration")")
        }
    }

    private func applyDatabase() throws {
        if isRule {
            // The reload below is enough.
        } else if system.prefix.isEmpty {
            try SystemCommand.run("systemd-hwdb", "update")
        } else {
            try SystemCommand.run("systemd-hwdb", "--root", system.prefix, "update")
        }
        // Without a reload udev notices a new database only after seconds.
        try SystemCommand.run("udevadm", "control", "--reload")
        try SystemCommand.run("udevadm", "trigger", "--settle", "--action=change", "--subsystem-match=\(subsystem)")
    }

    private func delete() throws {
        guard unlink(path) == 0 else { throw Failure.system("\(path): cannot remove") }
    }

    /// Replaces the file atomically, also with respect to a power failure.
    private func replace(with text: String) throws {
        for folder in ["/etc", "/etc/udev", folder] { mkdir(system.prefix + folder, 0o755) }
        try WholeFile(path: path, isSynchronized: true).write(text)
    }
}

/// Checks that the daemon uses a changed calibration.
struct AppliedCalibration {
    private let daemon: OrientationService

    /// The timeout for udev and the daemon, which need a fraction of a second.
    private static let timeout = Duration.seconds(10)
    /// The interval between two requests; the daemon scans at most once a second.
    private static let pause = Duration.milliseconds(100)

    init(_ daemon: OrientationService) {
        self.daemon = daemon
    }

    /// Waits until the sensor in use has the matrix of the entry, and prints that.
    ///
    /// - Throws: ``Failure`` if it has another one.
    func confirm(_ entry: HardwareDatabaseEntry) async throws {
        guard let sensor = try await sensor(until: { Self.uses($0, entry.matrix) }) else { return }
        guard Self.uses(sensor, entry.matrix) else {
            throw Failure(
                """
                \(sensor.id): entry written, but the mount matrix is from \(sensor.matrixSource): \(sensor.matrixText); \
                look for a later file in /etc/udev/\(entry.isRule ? "rules.d" : "hwdb.d"), or remove the entry with --undo
                """)
        }
        Dialogue.print(
            "The daemon uses the entry: \(sensor.id), mount matrix from \(sensor.matrixSource): \(sensor.matrixText).")
    }

    /// Waits until no sensor has the matrix of the removed file, and prints the new one.
    func confirmRemoval(of file: String) async throws {
        // The other lines of the entry are no matrix.
        let removed = file.split { $0.isNewline || $0 == "=" || $0 == "\"" }
            .compactMap { try? MountMatrix(parsing: String($0)) }.first
        let isGone = { (sensor: SensorDescription) in removed.map { !Self.uses(sensor, $0) } ?? true }
        guard let sensor = try await sensor(until: isGone) else { return }
        Dialogue.print("\(sensor.id): mount matrix now from \(sensor.matrixSource): \(sensor.matrixText).")
    }

    /// Returns the sensor in use once the condition holds, or after the timeout; nil if no daemon runs.
    private func sensor(until isRight: (SensorDescription) -> Bool) async throws -> SensorDescription? {
        var last: SensorDescription?
        let deadline = ContinuousClock.now + Self.timeout
        repeat {
            do {
                last = try await daemon.sensors().first(where: \.isChosen)
                if let last, isRight(last) { return last }
                try await Task.sleep(for: Self.pause)
            } catch OrientationServiceError.notConnected {
                Dialogue.print("No daemon is running; the change takes effect when it starts.")
                return nil
            } catch is CancellationError {
                Dialogue.print("Interrupted before the daemon used the change; see 'orientationctl sensors'.")
                return nil
            }
        } while ContinuousClock.now < deadline
        guard let last else {
            throw Failure("calibration: no accelerometer in use; see 'orientationctl sensors'")
        }
        return last
    }

    private static func uses(_ sensor: SensorDescription, _ matrix: MountMatrix) -> Bool {
        sensor.matrixSource == SensorProperty.mountMatrix.source && sensor.matrix == matrix.elements
    }
}
