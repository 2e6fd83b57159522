// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import Posix

/// Reads the accelerometers through sysfs. Opens no buffer: that would stop another capture.
struct DeviceReader {
    let root: SystemRoot
    let accounts: AccountDatabase
    /// The interval between two readings, in microseconds.
    var pause: UInt32 = 50_000

    /// The number of readings: enough to distinguish noise from a frozen value.
    static let readings = 10
    /// The time, in seconds, after which no further reading is made: a hung sensor hub blocks each for 5 s.
    static let timeout = 1.0

    private static let folder = SensorAttributes.devices

    /// Returns the accelerometers in the order of their numbers.
    func accelerometers() -> [DeviceFacts] {
        root.entries(Self.folder).filter { $0.hasPrefix("iio:device") }.sortedByNumber(\.self)
            .map(device).filter(\.isAccelerometer)
            .map { device in
                var device = device
                device.readings = read(device)
                return device
            }
    }

    private func device(_ id: String) -> DeviceFacts {
        let folder = "\(Self.folder)/\(id)"
        // The kernel resolves the link before `..`: this is the parent of the device.
        var device = DeviceFacts(id: id, udev: root.udevRecord(of: folder, withoutNode: "+iio:\(id)"))
        device.attributes.driver = root.linkName("\(folder)/../driver")
        device.module = root.linkName("\(folder)/../driver/module")
        device.node = root.access(of: "/dev/\(id)", accounts)
        device.addSurroundings(of: folder, in: root)
        readFiles(in: folder, of: &device)
        return device
    }

    private func readFiles(in folder: String, of device: inout DeviceFacts) {
        for subfolder in ["", "buffer/", "scan_elements/", "trigger/"] {
            for name in root.entries("\(folder)/\(subfolder)") where name != "uevent" {
                let path = "\(folder)/\(subfolder)\(name)"
                guard let status = root.status(path), status.st_mode & S_IFMT == S_IFREG,
                    let access = root.access(of: path, accounts)
                else { continue }
                device.files[subfolder + name] = access
                // Reading these starts a measurement, which can block. Files without read permission are write-only triggers.
                if name.hasSuffix("_raw") || name.hasSuffix("_input") || access.mode & 0o444 == 0 { continue }
                device.attributes.contents[subfolder + name] = content(path)
            }
        }
    }

    private func content(_ path: String) -> SensorAttributes.Content {
        do throws(Errno) {
            return .text(try root.content(path).prefix { $0 != "\0" }.split(separator: "\n").joined(separator: "\n"))
        } catch {
            root.unread.note(path, error)
            return .unreadable("\(error)")
        }
    }

    private func read(_ device: DeviceFacts) -> DeviceFacts.Readings {
        let names = DeviceFacts.axes.map { "in_accel_\($0)_raw" }.filter { device.files[$0] != nil }
        var readings = DeviceFacts.Readings()
        guard names.count == DeviceFacts.axes.count else { return readings }
        for round in 0..<Self.readings {
            if round > 0, pause > 0 { usleep(pause) }
            var vector: [Double] = []
            for name in names {
                guard let value = read("\(Self.folder)/\(device.id)/\(name)", into: &readings) else { return readings }
                vector.append(value)
                if readings.longest > Self.timeout { return readings }
            }
            readings.vectors.append(vector)
        }
        return readings
    }

    private func read(_ path: String, into readings: inout DeviceFacts.Readings) -> Double? {
        let began = ContinuousClock.now
        let content = Result { () throws(Errno) in try root.content(path) }
        let time = ContinuousClock.now - began
        readings.longest = max(readings.longest, time / .seconds(1))
        let name = path.split(separator: "/").last ?? ""
        switch content {
        case .success(let text):
            if let number = Double(decimal: String(text.prefix { $0 != "\0" })) { return number }
            readings.failure = "\(name): invalid value '\(text.shortened.filter { !$0.isNewline })': not a number"
        case .failure(let error):
            readings.failure = "\(name): \(error)"
            readings.isBusy = error.code == EBUSY
            readings.isRefused = error.code == EACCES || error.code == EPERM
        }
        return nil
    }
}

extension DeviceFacts {
    /// Reads the devices above it; `folder` may be a link.
    mutating func addSurroundings(of folder: String, in root: SystemRoot) {
        let resolved = root.devicePath(folder)
        path = resolved ?? ""
        attributes.addSurroundings(path: resolved, line: root.line, names: root.entries, linkName: root.linkName)
    }
}

extension SystemRoot {
    /// Returns udev's entry of a device by its folder in /sys; `id` is the name of the entry of one without a node.
    func udevRecord(of folder: String, withoutNode id: String? = nil) -> UdevRecord {
        let entry = line("\(folder)/dev").map { "c\($0)" } ?? id
        let database = entry.flatMap { text("/run/udev/data/\($0)") }
        return UdevRecord(uevent: text("\(folder)/uevent") ?? "", database: database)
    }

    func access(of path: String, _ accounts: AccountDatabase) -> FileAccess? {
        status(path).map { status in
            FileAccess(
                mode: status.st_mode & 0o7777, user: status.st_uid, group: status.st_gid,
                groupName: accounts.name(ofGroup: status.st_gid))
        }
    }
}
