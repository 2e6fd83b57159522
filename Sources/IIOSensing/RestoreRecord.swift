// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The restore record: a file that lists the settings of a device that the daemon has changed and not yet restored.
///
/// A buffer stays enabled, and a frequency stays set, after the process that changed them has died. The next start of
/// the daemon reads the record and restores the settings that it lists, and no others. A record of an earlier boot is
/// ignored.
///
/// Unchecked: only the sensor thread uses it, and there is one such thread at a time.
package final class RestoreRecord: @unchecked Sendable {
    private static let fileName = "restore-record"
    /// The largest record, in bytes.
    private static let longest = 1_024

    private let path: String?
    private let bootID: String?
    private var isRead = false
    private var settings: SavedSettings?

    /// The device whose buffer this process has enabled.
    var bufferDevice: String? { settings?.enabledBuffer == true ? settings?.device : nil }

    /// Creates a record in `folder`, which is created if it does not exist; nil if no record can be written.
    package init(folder: String?, bootID: String? = RestoreRecord.currentBootID()) {
        path = folder.map { "\($0)/\(Self.fileName)" }
        self.bootID = bootID
        if let folder { mkdir(folder, 0o700) }
    }

    /// Whether the file exists, even from an earlier boot.
    package var exists: Bool { path.map { access($0, F_OK) == 0 } == true }

    /// Why the record cannot be written; nil if it can.
    var failure: String? {
        guard let path else { return "cannot write a restore record: no state directory" }
        if bootID == nil { return "cannot write a restore record: the boot id is unknown" }
        let folder = String(path.dropLast(Self.fileName.count + 1))
        return access(folder, W_OK) == 0
            ? nil : "cannot write a restore record in \(folder): \(String(cString: strerror(errno)))"
    }

    /// Writes the record; returns false on failure.
    func write(_ settings: SavedSettings) -> Bool {
        guard let path, let bootID else { return false }
        // Replace the file atomically: a partial record cannot be used.
        let draft = "\(path).new"
        // Never write to a file left by a crash or created by another user.
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let text = "\(bootID)\n\(settings.text)"
        let count = text.withCString { Glibc.write(descriptor, $0, strlen($0)) }
        close(descriptor)
        isRead = true
        self.settings = settings
        return count == text.utf8.count && rename(draft, path) == 0
    }

    /// Removes the record, once the settings are restored.
    func remove() {
        settings = nil
        if let path { unlink(path) }
    }

    /// Returns the settings that an earlier process of this boot did not restore. Later calls return nil: the file is
    /// then this process's own.
    func takeUnrestored() -> SavedSettings? {
        guard !isRead, let path else { return nil }
        isRead = true
        // Non-blocking: opening a FIFO would block.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: Self.longest)
        let count = read(descriptor, &bytes, bytes.count)
        let parts = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split(separator: "\n", maxSplits: 1)
        guard parts.count == 2, let bootID, parts[0] == bootID else { return nil }
        return SavedSettings(parsing: String(parts[1]))
    }

    /// Returns the id of this boot without hyphens, as systemd writes it: from systemd where the unit sets it, because
    /// a sandboxed service may not read the kernel's file; otherwise from the kernel.
    package static func currentBootID() -> String? {
        if let given = getenv("ORIENTATIOND_BOOT_ID").map({ String(cString: $0) }), !given.isEmpty { return given }
        let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: longest)
        let count = read(descriptor, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(max(count, 0)).prefix { $0 != 10 }, as: UTF8.self)
        return text.isEmpty ? nil : text.filter { $0 != "-" }
    }
}

/// The saved settings of a device: the changes, and the values to restore.
struct SavedSettings: Hashable {
    /// The kernel's name of the device.
    let device: String
    /// Whether its buffer was enabled.
    var enabledBuffer = false
    /// Whether its own trigger was attached; it had none before.
    var attachedTrigger = false
    /// The former value of `sampling_frequency`.
    var frequency: String?
    /// The former value of `current_timestamp_clock`.
    var clock: String?
    /// The former values of attributes in the folder `events`, in the order in which they are restored.
    var events: [MotionEvent.Setting] = []

    init(device: String) {
        self.device = device
    }

    /// Whether there is nothing to restore.
    var isEmpty: Bool { self == SavedSettings(device: device) }

    /// The text form: one setting per line, the device first.
    var text: String {
        let lines =
            [
                "device \(device)", enabledBuffer ? "buffer" : nil, attachedTrigger ? "trigger" : nil,
                frequency.map { "frequency \($0)" }, clock.map { "clock \($0)" },
            ] + events.map { "event \($0.name) \($0.value)" }
        return lines.compactMap { $0.map { "\($0)\n" } }.joined()
    }

    /// Parses ``text``; nil for any other text.
    init?(parsing text: String) {
        let lines = text.split(separator: "\n").map(String.init)
        let fields = lines.map { line in line.split(separator: " ", maxSplits: 1).map(String.init) }
        guard let first = fields.first, first.count == 2, first[0] == "device" else { return nil }
        self.init(device: first[1])
        for field in fields.dropFirst() {
            switch (field.first, field.count) {
            case ("buffer", 1): enabledBuffer = true
            case ("trigger", 1): attachedTrigger = true
            case ("frequency", 2): frequency = field[1]
            case ("clock", 2): clock = field[1]
            case ("event", 2):
                let words = field[1].split(separator: " ", maxSplits: 1).map(String.init)
                // The name is part of a path.
                guard words.count == 2, !words[0].contains("/"), !words[0].hasPrefix(".") else { return nil }
                events.append(MotionEvent.Setting(name: words[0], value: words[1]))
            default: return nil
            }
        }
    }
}

extension IIODevice {
    /// Restores the saved settings; returns false if the buffer is still enabled.
    func restore(_ settings: SavedSettings) -> Bool {
        for event in settings.events { _ = EventAttribute(device: id, name: event.name).write(event.value) }
        // Stop the buffer first: while it is enabled, the kernel rejects changes of the clock and the trigger.
        let isStopped = !settings.enabledBuffer || isBufferEnabled != true || disableBuffer() == 0
        if let former = settings.clock {
            _ = writableAttribute("current_timestamp_clock", channel: "accel_x")?.write(former)
        }
        if let former = settings.frequency {
            _ = writableAttribute("sampling_frequency", channel: "accel_x")?.write(former)
        }
        if settings.attachedTrigger { _ = setTrigger(nil) }
        return isStopped
    }
}
