// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// A scan of a context: all its accelerometers, and the one to use.
struct IIOScan {
    /// The accelerometer to use; nil if none is usable.
    let chosen: AccelerometerDevice?
    /// All accelerometers, including incomplete ones.
    let listings: [SensorDescription]

    /// Scans the devices of the context; `record` names the buffer that this daemon has enabled, `interrupts` the motion
    /// interrupts that do not work.
    init(
        _ context: IIOContext, wanted: String?, facts: HardwareFacts, record: RestoreRecord, interrupts: KnownInterrupts
    ) {
        var usable: [AccelerometerDevice] = []
        var candidates: [SensorChoice.Candidate] = []
        for device in context.devices {
            switch AccelerometerDevice.identify(device, facts: facts, record: record) {
            case .other: continue
            case .incomplete(let info, let missing):
                let defect = "incomplete accelerometer: \(missing.joined(separator: ", ")) not found"
                candidates.append(SensorChoice.Candidate(info: info, defect: defect))
            case .accelerometer(let device):
                usable.append(device)
                candidates.append(device.candidate(facts, interrupts))
            }
        }
        listings = SensorChoice.listings(candidates, wanted: wanted)
        let choice = listings.first(where: \.isChosen)?.id
        chosen = usable.first { $0.info.id == choice }
    }
}

extension AccelerometerDevice {
    /// Describes a capture, for a message.
    static func method(capturedBy trigger: String?) -> String {
        "captured from its buffer, \(trigger.map { "trigger \($0)" } ?? "without a trigger")"
    }

    /// The name of the chip's interrupt among those known. The kernel's id alone can be that of another chip after a
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
            candidate.info.reading = Self.method(capturedBy: trigger)
        case .poll(let reason): candidate.info.reading = "polled: \(reason)"
        }
        candidate.info.reading? += "; \(details)"
        if let use = motionEventUse(interrupts) { candidate.info.reading? += "; \(use)" }
        return candidate
    }
}
