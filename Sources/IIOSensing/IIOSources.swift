// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
package import Sensing

/// The row of the source table that uses libiio.
package struct IIOSources: Sendable {
    private let record: RestoreRecord
    private let eventFailures = MotionEventFailures()

    /// Creates the row; enabled buffers are written to `record`.
    package init(record: RestoreRecord) {
        self.record = record
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
        let scan = IIOScan(context, wanted: address.device, facts: facts, record: record)
        guard let device = scan.chosen else {
            throw .noDevice(
                scan.reasonForNone(wanted: address.device, on: address.contextURI ?? "this machine"))
        }
        // Before udev has processed the device its mount matrix is unknown: the first orientation could be wrong.
        if context.isLocal, facts.pending.contains(device.info.id) {
            throw .noDevice("\(device.info.id) (\(device.info.name)): waiting for udev to process the device")
        }
        return IIOAccelerometer(context: context, device: device, record: record, eventFailures: eventFailures)
    }

    private func scan(
        _ address: IIOAddress, facts: HardwareFacts
    ) throws(SensorFailure) -> [SensorDescription] {
        let context = try connect(address)
        return IIOScan(context, wanted: address.device, facts: facts, record: record).listings
    }

    /// Opens the context, and restores the settings that an earlier process left changed in it.
    private func connect(_ address: IIOAddress) throws(SensorFailure) -> IIOContext {
        let context = try IIOContext(uri: address.contextURI)
        guard context.isLocal, let settings = record.takeUnrestored() else { return context }
        guard let device = context.devices.first(where: { $0.id == settings.device }), !device.isNodeInUse else {
            // The device was removed, or another program now uses its buffer.
            record.remove()
            return context
        }
        if device.restore(settings) { record.remove() }
        return context
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
