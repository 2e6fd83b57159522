// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix

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

    /// Removes the file in `folder` with what is known of motion interrupts.
    package static func forgetInterrupts(in folder: String) { KnownInterrupts.remove(from: folder) }

    /// The row for `iio:` and `iio:NAME`; NAME is the name, the id or the label of a device.
    package var row: SourceKind {
        SourceKind(
            scheme: "iio", takesAddress: true, isHardware: true,
            check: Self.check,
            open: { name, facts throws(OpenFailure) in
                try OpenFailure.naming(nil) { () throws(SensorFailure) in try open(name.isEmpty ? nil : name, facts) }
            },
            scan: { name, facts throws(SensorFailure) in
                try scan(name.isEmpty ? nil : name, facts).listings
            })
    }

    /// Refuses the addresses of libiio's backends, which earlier versions supported.
    private static func check(_ name: String) throws(SensorFailure) {
        guard ["ip:", "usb:", "serial:", "xml:", "local:"].contains(where: name.hasPrefix) else { return }
        throw .unusable(
            "iio:\(name): invalid sensor: only sensors of this machine are supported, as in iio:NAME; for another machine, "
                + "run 'orientationctl record FILE' there and use replay:FILE here")
    }

    private func open(_ name: String?, _ facts: HardwareFacts) throws(SensorFailure) -> any Accelerometer {
        let scan = try scan(name, facts)
        guard let device = scan.chosen else {
            throw .noDevice(SensorChoice.absence(of: name, "on this machine", among: scan.listings))
        }
        // Before udev has processed the device its mount matrix is unknown: the first orientation could be wrong.
        if facts.pending.contains(device.info.id) {
            throw .noDevice("\(device.info.id) (\(device.info.name)): waiting for udev to process the device")
        }
        if facts.isReload { interrupts.forgetFailure(of: device.interrupt) }
        return IIOAccelerometer(device: device, record: record, interrupts: interrupts)
    }

    /// Returns the complete accelerometers of this machine, in the order of their numbers.
    func accelerometers(_ facts: HardwareFacts) -> [AccelerometerDevice] {
        let devices = (try? IIOContext())?.devices ?? []
        return devices.compactMap { device in
            guard case .accelerometer(let found) = AccelerometerDevice.identify(device, facts: facts, record: record)
            else { return nil }
            return found
        }.sorted { ($0.info.id.utf8.count, $0.info.id) < ($1.info.id.utf8.count, $1.info.id) }
    }

    private func scan(_ name: String?, _ facts: HardwareFacts) throws(SensorFailure) -> IIOScan {
        IIOScan(try IIOContext(), wanted: name, facts: facts, record: record, interrupts: interrupts)
    }
}

extension RestoreRecord {
    /// Restores the settings that an earlier process left changed, if the record lists any. Until then the record refuses
    /// to be written.
    package func restoreLocalSettings() {
        guard isUnread, let context = try? IIOContext(), let settings = takeUnrestored() else { return }
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
