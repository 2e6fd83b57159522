// SPDX-License-Identifier: Apache-2.0

internal import Sensing
internal import OrientationModel

/// All accelerometers of a context, with the verdict on each.
struct IIOSurvey {
    /// The one to use, if there is one.
    let chosen: AccelerometerDevice?
    /// Every accelerometer, the incomplete ones too.
    let listings: [SensorDescription]

    /// Looks at every device of the context.
    init(_ context: borrowing IIOContext, wanted: String?, facts: HardwareFacts) {
        var usable: [AccelerometerDevice] = []
        var incomplete: [SensorDescription] = []
        for device in context.devices {
            switch AccelerometerDevice.examine(device, isLocal: context.isLocal, facts: facts) {
            case .somethingElse: continue
            case .incomplete(let info, let missing):
                var listing = info
                listing.why = "it is no complete accelerometer: \(missing.joined(separator: " and ")) is missing"
                incomplete.append(listing)
            case .accelerometer(let device): usable.append(device)
            }
        }
        let verdicts = SensorChoice.listings(
            usable.map { SensorChoice.Candidate(info: $0.info, label: $0.label) }, wanted: wanted)
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
