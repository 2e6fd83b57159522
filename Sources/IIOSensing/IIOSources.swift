// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
package import Sensing
internal import Support

/// The row of the source table that uses libiio.
package struct IIOSources: Sendable {
    private let record: RestoreRecord
    private let interrupts: KnownInterrupts

    /// Creates the row. Enabled buffers are written to `record`, and what is known of motion interrupts to
    /// a file in `folder`.
    package init(record: RestoreRecord, folder: String?, bootID: String? = BootID.current()) {
        self.record = record
        interrupts = KnownInterrupts(folder: folder, bootID: bootID)
    }

    /// The row `iio:ADDRESS`.
    package var row: SourceKind {
        SourceKind(
            scheme: "iio", takesAddress: true,
            expected: { address in
                var sensor = SensorDescription(id: "iio", name: "iio")
                sensor.isLocal = IIOAddress(address).isLocal
                return sensor
            },
            check: { address throws(SensorFailure) in try IIOAddress(address).check() },
            open: { address, facts throws(SensorFailure) in try open(IIOAddress(address), facts: facts) },
            scan: { address, facts throws(SensorFailure) in try scan(IIOAddress(address), facts: facts) })
    }

    private func open(
        _ address: IIOAddress, facts: HardwareFacts
    ) throws(SensorFailure) -> any Accelerometer {
        let context = try connect(address)
        let scan = IIOScan(context, wanted: address.device, facts: facts, record: record, interrupts: interrupts)
        guard let device = scan.chosen else {
            throw .noDevice(
                scan.reasonForNone(wanted: address.device, on: address.contextURI ?? "this machine"))
        }
        // Before udev has processed the device its mount matrix is unknown: the first orientation could be wrong.
        if context.isLocal, facts.pending.contains(device.info.id) {
            throw .noDevice("\(device.info.id) (\(device.info.name)): waiting for udev to process the device")
        }
        if facts.isReload { interrupts.forgetFailure(of: device.interrupt) }
        return IIOAccelerometer(context: context, device: device, record: record, interrupts: interrupts)
    }

    private func scan(
        _ address: IIOAddress, facts: HardwareFacts
    ) throws(SensorFailure) -> [SensorDescription] {
        let context = try connect(address)
        return IIOScan(context, wanted: address.device, facts: facts, record: record, interrupts: interrupts).listings
    }

    /// Opens the context, and restores the settings that an earlier process left changed in it.
    private func connect(_ address: IIOAddress) throws(SensorFailure) -> IIOContext {
        let context = try IIOContext(uri: address.contextURI)
        if context.isLocal { record.restoreSettings(in: context) }
        return context
    }
}

extension RestoreRecord {
    /// Restores the settings that an earlier process left changed, if the record lists any. Opens the local context
    /// only then.
    package func restoreLocalSettings() {
        guard isUnread, let context = try? IIOContext(uri: nil) else { return }
        restoreSettings(in: context)
    }

    /// Restores the settings that an earlier process left changed.
    func restoreSettings(in context: IIOContext) {
        guard let settings = takeUnrestored() else { return }
        guard let device = context.devices.first(where: { $0.id == settings.device }) else { return remove() }
        guard !device.isNodeInUse else {
            // Another program now uses the buffer, and the trigger, frequency and clock with it; not the events.
            device.restoreEvents(settings)
            return remove()
        }
        // The process that wrote the record runs: a daemon with the same state directory.
        guard settings.events.isEmpty || !EventDescriptor.isInUse(device: device.id) else { return }
        if device.restore(settings) { remove() }
    }
}

/// The address part of an `iio:` URI.
struct IIOAddress: Hashable {
    /// A libiio URI; nil for local devices.
    let contextURI: String?
    /// The name, id or label of a device; nil for the best one.
    let device: String?

    /// Whether it names devices of this machine.
    var isLocal: Bool { contextURI?.hasPrefix("local:") ?? true }

    /// The URI prefixes of libiio's backends.
    private static let backends = ["ip:", "usb:", "serial:", "local:", "xml:"]

    /// Parses `""`, `NAME`, `ip:HOST` or `ip:HOST#DEVICE`.
    init(_ text: String) {
        guard Self.backends.contains(where: text.hasPrefix) else {
            contextURI = nil
            device = text.isEmpty ? nil : text
            return
        }
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        contextURI = String(parts[0])
        device = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
    }

    /// Throws if the backend requires a value that is missing; `usb:` and `local:` find a device themselves.
    func check() throws(SensorFailure) {
        let needs = ["ip:": "HOST", "serial:": "PORT,SETTINGS", "xml:": "FILE"]
        guard let contextURI, let need = needs[contextURI] else { return }
        throw .unusable("iio:\(contextURI): \(need) is missing, as in iio:\(contextURI)\(need)")
    }
}
