// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Posix

/// The restore record: a file that lists the settings of a device that the daemon has changed and not yet restored.
///
/// A buffer stays enabled, and a frequency stays set, after the process that changed them has died. The next start of
/// the daemon reads the record and restores the settings that it lists, and no others. A record of an earlier boot is
/// ignored. A setting that could not be restored stays in the record, and is restored before the next use.
///
/// Unchecked: a record is used by one thread only: the accelerometer's by the sensor thread, one for each ambient kind
/// by the ambient thread.
package final class RestoreRecord: @unchecked Sendable {
    /// The largest record, in bytes.
    private static let longest = 1_024

    private let folder: String?
    private let file: StateFile?
    private let bootID: String?
    private var isRead = false
    private var settings: SavedSettings?
    /// Whether the settings are no longer in use, but could not be restored.
    private(set) var isLeft = false
    private let report: @Sendable (String) -> Void
    /// The last message that was reported.
    private var reported = ""

    /// The device whose buffer this process has enabled.
    var bufferDevice: String? { settings?.enabledBuffer == true ? settings?.device : nil }

    /// Why no settings of `device` can be recorded now; nil if they can.
    func conflict(with device: String) -> String? {
        guard let settings else { return nil }
        if settings.device != device { return "the restore record is in use for \(settings.device)" }
        return settings.enabledBuffer ? "the buffer could not be disabled after its last use" : nil
    }

    /// Returns the settings of `device` that could not be restored after their last use; nil without any.
    func left(of device: String) -> SavedSettings? { isLeft && settings?.device == device ? settings : nil }

    /// Creates a record in `folder`, which is created if it does not exist; nil if no record can be written. `report`
    /// receives a message about settings that could not be restored, once.
    package init(
        folder: String?, name: String = "restore-record", bootID: String? = BootID.current(),
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.report = report
        self.folder = folder
        file = folder.map { StateFile(path: "\($0)/\(name)", longest: Self.longest) }
        self.bootID = bootID
        if let folder { mkdir(folder, 0o700) }
    }

    /// Whether the file exists, even from an earlier boot.
    package var exists: Bool { file?.exists ?? false }

    /// Why the record cannot be written; nil if it can.
    var failure: String? {
        guard let folder else { return "cannot write a restore record: no state directory" }
        if bootID == nil { return "cannot write a restore record: the boot id is unknown" }
        // The settings that it lists would be lost.
        if isUnread { return "cannot write a restore record: that of an earlier process was not read yet" }
        return access(folder, W_OK) == 0
            ? nil : "cannot write a restore record in \(folder): \(Errno.current)"
    }

    /// Whether the file may list settings that an earlier process did not restore: it is not replaced or removed until
    /// ``takeUnrestored()``.
    var isUnread: Bool { !isRead && exists }

    /// Writes the record; returns false on failure.
    func write(_ settings: SavedSettings) -> Bool {
        guard failure == nil, let file, let bootID, !isLeft || self.settings?.device == settings.device
        else { return false }
        isRead = true
        // Not durable: a power failure ends the boot.
        let text = "\(bootID)\n\(settings.text)"
        do throws(Errno) { try file.replace(with: text, isDurable: false) } catch { return false }
        (self.settings, isLeft) = (settings, false)
        return true
    }

    /// Ends the use of the settings: removes the record, except for those that could not be restored.
    func end(left: SavedSettings) {
        guard !left.isEmpty else { return remove() }
        // After a failure the file lists the restored ones as well.
        _ = write(left)
        (settings, isLeft) = (left, true)
        let names = left.text.split(separator: "\n").dropFirst().joined(separator: ", ")
        let message = "\(left.device): cannot restore its settings (\(names)); trying again at the next use"
        if message != reported { report(message) }
        reported = message
    }

    /// Removes the record, once the settings are restored.
    private func remove() {
        (settings, isLeft) = (nil, false)
        if !isUnread { file?.remove() }
    }

    /// Returns the settings that this process, or an earlier one of this boot, could not restore. Those of an earlier one are
    /// returned once: the file is then this process's own.
    func takeUnrestored() -> SavedSettings? {
        if isLeft { return settings }
        guard !isRead, let file, let bootID else { return nil }
        let text: String
        do throws(Errno) { text = try file.read() } catch {
            // A file of another user or kind is not a record. Any other is read at the next use.
            isRead = error.isAbsence || error.isDenial || error.code == ELOOP || error == .notRegular
            return nil
        }
        isRead = true
        let parts = text.split(separator: "\n", maxSplits: 1)
        guard parts.count == 2, parts[0] == bootID else { return nil }
        return SavedSettings(parsing: String(parts[1]))
    }
}

/// The saved settings of a device: the changes, and the values to restore.
struct SavedSettings: Hashable {
    /// The channel of accelerometers, which records do not name.
    static let usualChannel = "accel_x"

    /// The kernel's name of the device.
    let device: String
    /// The channel whose attributes were changed if the device has none of its own.
    private(set) var channel: String
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

    init(device: String, channel: String = usualChannel) {
        self.device = device
        self.channel = channel
    }

    /// Whether there is nothing to restore.
    var isEmpty: Bool { self == SavedSettings(device: device, channel: channel) }

    /// The text form: one setting per line, the device first.
    var text: String {
        let lines =
            [
                "device \(device)", channel == Self.usualChannel ? nil : "channel \(channel)",
                enabledBuffer ? "buffer" : nil, attachedTrigger ? "trigger" : nil,
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
            case ("channel", 2): channel = field[1]
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
    /// Restores the saved settings, with `eventsOnly` those of a motion event; returns those that could not be restored.
    func restore(_ settings: SavedSettings, eventsOnly: Bool = false) -> SavedSettings {
        var left = SavedSettings(device: id, channel: settings.channel)
        left.events = settings.events.filter { !SysfsFolder.events(of: id).restore($0.value, to: $0.name) }
        if eventsOnly { return left }
        let isRefused = { (code: Int32) in code != 0 && !Errno(-code).isRemoval }
        // Stop the buffer first: while it is enabled, the kernel rejects changes of the clock and the trigger.
        left.enabledBuffer = settings.enabledBuffer && captureConflict != nil && isRefused(disableBuffer())
        let refused = { (name: String, former: String?) -> String? in
            guard let former, let attribute = folder.setting(name, channel: settings.channel) else { return nil }
            return folder.restore(former, to: attribute) ? nil : former
        }
        left.clock = refused(DeviceSettings.clock, settings.clock)
        left.frequency = refused("sampling_frequency", settings.frequency)
        left.attachedTrigger = settings.attachedTrigger && isRefused(setTrigger(nil))
        return left
    }
}
