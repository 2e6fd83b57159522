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
            open: { name, facts throws(OpenFailure) in
                try OpenFailure.naming(nil) { () throws(SensorFailure) in try open(name.isEmpty ? nil : name, facts) }
            },
            scan: { name, facts throws(SensorFailure) in
                try scan(name.isEmpty ? nil : name, facts).listings
            })
    }

    private func open(_ name: String?, _ facts: HardwareFacts) throws(SensorFailure) -> any Accelerometer {
        let scan = try scan(name, facts)
        if let failure = scan.failure { throw failure }
        guard let device = scan.chosen else {
            throw .noDevice(SensorChoice.absence(of: name, "on this machine", among: scan.listings))
        }
        // Before udev has processed the device its mount matrix is unknown: the first orientation could be wrong.
        if let reason = facts.rejection(of: device.info.id) {
            throw .noDevice("\(device.info.id) (\(device.info.name)): \(reason)")
        }
        if facts.isReload { interrupts.forgetFailure(of: device.interrupt) }
        return IIOAccelerometer(device: device, record: record, interrupts: interrupts)
    }

    /// Returns the complete accelerometers of this machine, in the order of their numbers.
    func accelerometers(_ facts: HardwareFacts) throws(SensorFailure) -> [AccelerometerDevice] {
        let devices: [IIODevice]
        do throws(SensorFailure) { devices = try IIOContext().devices } catch .noDevice { return [] }
        return try devices.map { device throws(SensorFailure) in
            switch AccelerometerDevice.identify(device, facts: facts, record: record) {
            case .accelerometer(let found): return found
            case .unreadable(_, let failure): throw failure
            case .incomplete, .other: return nil
            }
        }.compactMap(\.self).sortedByNumber(\.info.id)
    }

    /// Lists all accelerometers, also incomplete ones; `chosen` is nil if none is usable. One that cannot be read is chosen
    /// like others: another one may be in the base of a laptop. `failure` belongs to the chosen one.
    private func scan(
        _ wanted: String?, _ facts: HardwareFacts
    ) throws(SensorFailure) -> (chosen: AccelerometerDevice?, failure: SensorFailure?, listings: [SensorDescription]) {
        var usable: [AccelerometerDevice] = []
        var failures: [String: SensorFailure] = [:]
        var candidates: [SensorChoice.Candidate] = []
        for device in try IIOContext().devices {
            switch AccelerometerDevice.identify(device, facts: facts, record: record) {
            case .other: continue
            case .incomplete(let info, let missing):
                let defect = "incomplete accelerometer: \(missing.joined(separator: ", ")) not found"
                candidates.append(SensorChoice.Candidate(info: info, defect: defect))
            case .unreadable(var info, let failure):
                info.warnings.append(failure.description)
                failures[info.id] = failure
                candidates.append(SensorChoice.Candidate(info: info))
            case .accelerometer(let device):
                usable.append(device)
                candidates.append(device.candidate(facts, interrupts))
            }
        }
        let listings = SensorChoice.listings(candidates, wanted: wanted)
        let choice = listings.first(where: \.isChosen)?.id
        return (usable.first { $0.info.id == choice }, choice.flatMap { failures[$0] }, listings)
    }
}

extension AccelerometerDevice {
    /// Describes a capture, for a message.
    static func method(capturedBy trigger: String?) -> String {
        "captured from its buffer, \(trigger.map { "trigger \($0)" } ?? "without a trigger")"
    }

    /// The name of the chip's interrupt among those known. The kernel's id alone can belong to another chip after a
    /// hot-plug.
    var interrupt: String { "\(info.id) \(info.name)" }

    /// Whether the motion event is used at rest, for a message; nil for a chip without one. `unavailable`: why it could not
    /// be enabled.
    func motionEventUse(_ interrupts: KnownInterrupts, unavailable: String? = nil) -> String? {
        guard let motionEvent else { return nil }
        if let failure = interrupts.failure(of: interrupt) { return "motion event not used: \(failure)" }
        if let conflict = motionEventConflict ?? unavailable { return "motion event not used now: \(conflict)" }
        return "at rest: motion event \(motionEvent.name)"
    }

    fileprivate func candidate(_ facts: HardwareFacts, _ interrupts: KnownInterrupts) -> SensorChoice.Candidate {
        var candidate = SensorChoice.Candidate(
            info: info, label: label, traits, recentFailure: facts.recentFailure(of: info.id))
        switch plan {
        case .capture(let trigger):
            candidate.canCapture = true
            candidate.info.method = Self.method(capturedBy: trigger)
        case .poll(let reason): candidate.info.method = "polled: \(reason)"
        }
        candidate.info.method? += "; \(details)"
        if let use = motionEventUse(interrupts) { candidate.info.method? += "; \(use)" }
        return candidate
    }
}

extension RestoreRecord {
    /// Restores the settings that this or an earlier process left changed, if the record lists any. Until then the record
    /// refuses to be written.
    package func restoreLocalSettings() {
        // Without a context: at the next use.
        guard isUnread || isLeft, let context = try? IIOContext(), let settings = takeUnrestored() else { return }
        guard let device = context.devices.first(where: { $0.id == settings.device }) else {
            return end(left: SavedSettings(device: settings.device))
        }
        // Another program may now use the buffer, and the trigger, frequency and clock with it; not the events.
        let isTaken = device.isNodeInUse
        // The process that wrote the record runs: a daemon with the same state directory.
        let hasEvents = settings.settings.contains { $0.name.hasPrefix(SavedSettings.events) }
        guard isTaken || !hasEvents || !EventDescriptor.isInUse(device: device.id) else { return }
        end(left: device.restore(settings, eventsOnly: isTaken))
    }
}
