// SPDX-License-Identifier: Apache-2.0

import Calibration
import Glibc

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
