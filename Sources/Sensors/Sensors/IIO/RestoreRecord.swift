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
    var bufferDevice: String? { settings?[SavedSettings.buffer] == nil ? nil : settings?.device }

    /// Why no settings of `device` can be recorded now; nil if they can.
    func conflict(with device: String) -> String? {
        guard let settings else { return nil }
        if settings.device != device { return "the restore record is in use for \(settings.device)" }
        return settings[SavedSettings.buffer] == nil ? nil : "the buffer could not be disabled after its last use"
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
        guard !left.settings.isEmpty else { return remove() }
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

/// The saved settings of a device: the attributes that were changed, and their former values.
struct SavedSettings: Hashable {
    /// The attribute that enables the buffer.
    static let buffer = "buffer/enable"
    /// The attribute with the trigger; empty without one.
    static let trigger = "trigger/current_trigger"
    /// The folder of the attributes of motion events.
    static let events = "events/"

    /// An attribute and its value.
    struct Setting: Hashable {
        /// The path in the folder of the device.
        let name: String
        let value: String
    }

    /// The kernel's name of the device.
    let device: String
    /// In the order in which they are restored.
    private(set) var settings: [Setting] = []

    init(device: String) {
        self.device = device
    }

    /// The former value of an attribute; nil if it was not changed.
    subscript(name: String) -> String? { settings.first { $0.name == name }?.value }

    /// Adds an attribute, unless it was changed before.
    mutating func add(_ name: String, _ value: String) {
        if self[name] == nil { settings.append(Setting(name: name, value: value)) }
    }

    /// Puts attributes before the others.
    mutating func addFirst(_ new: [Setting]) {
        settings = new + settings.filter { old in !new.contains { $0.name == old.name } }
    }

    mutating func remove(_ name: String) { settings.removeAll { $0.name == name } }

    /// The text form: the device, then one attribute per line.
    var text: String { "device=\(device)\n" + settings.map { "\($0.name)=\($0.value)\n" }.joined() }

    /// Parses ``text``; nil for any other text.
    init?(parsing text: String) {
        let fields = text.parts(between: "\n").map(\.assignment)
        guard case ("device", let device)?? = fields.first else { return nil }
        self.init(device: device)
        for field in fields.dropFirst() {
            // The name is part of a path.
            guard let (name, value) = field,
                name.parts(between: "/", keepsEmpty: true).allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") })
            else { return nil }
            add(name, value)
        }
    }
}

extension IIODevice {
    /// Restores the saved settings, with `eventsOnly` those of a motion event; returns those that could not be restored.
    func restore(_ saved: SavedSettings, eventsOnly: Bool = false) -> SavedSettings {
        var left = SavedSettings(device: id)
        for setting in saved.settings where !eventsOnly || setting.name.hasPrefix(SavedSettings.events) {
            if !folder.restore(setting.value, to: setting.name) { left.add(setting.name, setting.value) }
        }
        return left
    }
}
