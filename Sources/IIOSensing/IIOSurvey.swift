// SPDX-License-Identifier: Apache-2.0

internal import Sensing
internal import OrientationModel

/// All accelerometers of a context, with the verdict on each.
struct IIOSurvey {
    /// The one to use, if there is one.
    let chosen: AccelerometerDevice?
    /// Every accelerometer, the incomplete ones too.
    let listings: [SensorDescription]

    /// Looks at every device of the context; `note` says which buffer is ours.
    init(_ context: borrowing IIOContext, wanted: String?, facts: HardwareFacts, note: ArmedNote) {
        let triggers = context.devices.filter(\.isTrigger)
        var usable: [AccelerometerDevice] = []
        var incomplete: [SensorDescription] = []
        for device in context.devices {
            let verdict = AccelerometerDevice.examine(
                device, isLocal: context.isLocal, facts: facts, triggers: triggers, note: note)
            switch verdict {
            case .somethingElse: continue
            case .incomplete(let info, let missing):
                var listing = info
                listing.why = "it is no complete accelerometer: \(missing.joined(separator: " and ")) is missing"
                incomplete.append(listing)
            case .accelerometer(let device): usable.append(device)
            }
        }
        let verdicts = SensorChoice.listings(
            usable.map { $0.candidate(facts) }, wanted: wanted)
        let choice = verdicts.first(where: \.isChosen)?.id
        chosen = usable.first { $0.info.id == choice }
        listings = verdicts + incomplete
    }

    /// Why nothing was chosen, for a person.
    func reasonForNone(wanted: String?, on place: String) -> String {
        let seen = listings.map { "\($0.id) (\($0.name)): \($0.why)" }.joined(separator: "; ")
        let what = wanted.map { "no accelerometer '\($0)'" } ?? "no usable accelerometer"
        return seen.isEmpty ? "\(what) on \(place)" : "\(what) on \(place); \(seen)"
    }
}

extension AccelerometerDevice {
    /// How samples are come by, for people.
    static func reading(captured trigger: String?) -> String {
        "captured from its buffer, \(trigger.map { "trigger \($0)" } ?? "without a trigger")"
    }

    fileprivate func candidate(_ facts: HardwareFacts) -> SensorChoice.Candidate {
        var candidate = SensorChoice.Candidate(
            info: info, label: label, trouble: isLocal ? facts.recentFailures[info.id] : nil)
        switch plan {
        case .capture(let trigger):
            candidate.canCapture = true
            candidate.info.reading = Self.reading(captured: trigger)
        case .poll(let reason): candidate.info.reading = "polled: \(reason)"
        }
        candidate.info.reading? += "; \(particulars)"
        return candidate
    }
}
