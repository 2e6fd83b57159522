// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensing

/// A scan of a context: all its accelerometers, and the one to use.
struct IIOScan {
    /// The accelerometer to use; nil if none is usable.
    let chosen: AccelerometerDevice?
    /// All accelerometers, including incomplete ones.
    let listings: [SensorDescription]

    /// Scans the devices of the context; `record` names the buffer that this daemon has enabled.
    init(_ context: IIOContext, wanted: String?, facts: HardwareFacts, record: RestoreRecord) {
        let triggers = context.devices.filter(\.isTrigger)
        var usable: [AccelerometerDevice] = []
        var incomplete: [SensorDescription] = []
        for device in context.devices {
            let kind = AccelerometerDevice.identify(
                device, isLocal: context.isLocal, facts: facts, triggers: triggers, record: record)
            switch kind {
            case .other: continue
            case .incomplete(let info, let missing):
                var listing = info
                listing.why = "incomplete accelerometer: \(missing.joined(separator: ", ")) not found"
                incomplete.append(listing)
            case .accelerometer(let device): usable.append(device)
            }
        }
        let complete = SensorChoice.listings(usable.map { $0.candidate(facts) }, wanted: wanted)
        let choice = complete.first(where: \.isChosen)?.id
        chosen = usable.first { $0.info.id == choice }
        listings = complete + incomplete
    }

    /// Returns the message for a scan without a usable accelerometer.
    func reasonForNone(wanted: String?, on place: String) -> String {
        let found = listings.map { "\($0.id) (\($0.name)): \($0.why)" }.joined(separator: "; ")
        let what = wanted.map { "no accelerometer '\($0)'" } ?? "no usable accelerometer"
        return found.isEmpty ? "\(what) on \(place)" : "\(what) on \(place); \(found)"
    }
}

extension AccelerometerDevice {
    /// Describes a capture, for a message.
    static func method(capturedBy trigger: String?) -> String {
        "captured from its buffer, \(trigger.map { "trigger \($0)" } ?? "without a trigger")"
    }

    fileprivate func candidate(_ facts: HardwareFacts) -> SensorChoice.Candidate {
        var candidate = SensorChoice.Candidate(
            info: info, label: label, recentFailure: isLocal ? facts.recentFailures[info.id] : nil)
        switch plan {
        case .capture(let trigger):
            candidate.canCapture = true
            candidate.info.reading = Self.method(capturedBy: trigger)
        case .poll(let reason): candidate.info.reading = "polled: \(reason)"
        }
        candidate.info.reading? += "; \(details)"
        return candidate
    }
}

/// Chooses among several accelerometers, and states the reason for each.
///
/// The orientation is that of the display: a sensor in the base of a convertible or in a camera is used only on request.
/// A sensor with a recent failure ranks after all others, a polled one after a captured one. Among equals the lowest
/// number wins, so that the choice is the same after every start.
enum SensorChoice {
    /// A sensor that could be used.
    struct Candidate: Hashable {
        var info: SensorDescription
        var label: String?
        /// Whether it can be captured from its buffer.
        var canCapture = false
        /// The reason of its last failure, if it is recent.
        var recentFailure: String?
    }

    /// Returns the candidates in the order of their numbers, each with the reason why it was chosen or not; at most one
    /// is chosen. `wanted` is the requested name, id or label; nil for the best.
    static func listings(_ candidates: [Candidate], wanted: String?) -> [SensorDescription] {
        let ordered = candidates.sorted { number(of: $0.info.id) < number(of: $1.info.id) }
        let chosen = ordered.filter { rejection(of: $0, wanted: wanted) == nil }.min { rank($0) < rank($1) }
        return ordered.map { candidate in
            var listing = candidate.info
            listing.isChosen = candidate == chosen
            listing.why =
                if listing.isChosen {
                    reason(for: candidate, among: ordered, wanted: wanted)
                } else {
                    rejection(of: candidate, wanted: wanted) ?? reason(against: candidate, chosen: chosen)
                }
            return listing
        }
    }

    private static func reason(for chosen: Candidate, among all: [Candidate], wanted: String?) -> String {
        if let wanted { return "requested as '\(wanted)'" }
        if let failure = chosen.recentFailure { return "no other sensor; recent failure: \(failure)" }
        let rivals = all.filter { $0 != chosen && rejection(of: $0, wanted: nil) == nil }
        if chosen.canCapture, rivals.contains(where: { !$0.canCapture }) {
            return "in the display, and captured instead of polled"
        }
        return "first accelerometer in the display"
    }

    private static func reason(against candidate: Candidate, chosen: Candidate?) -> String {
        let other = chosen?.info.id ?? "another sensor"
        if let failure = candidate.recentFailure, chosen?.recentFailure == nil { return "recent failure: \(failure)" }
        if chosen?.canCapture == true, !candidate.canCapture { return "polled, while \(other) is captured" }
        return "equal to \(other), which has a lower number"
    }

    private static func rejection(of candidate: Candidate, wanted: String?) -> String? {
        if let wanted {
            // An id begins with "iio:", which the URI's scheme may already contain.
            let names = [candidate.info.id, candidate.info.name, candidate.label]
            return names.contains(wanted) || candidate.info.id == "iio:\(wanted)" ? nil : "not '\(wanted)'"
        }
        return ["base", "camera"].contains(candidate.info.location)
            ? "in the \(candidate.info.location), not in the display" : nil
    }

    /// Returns the rank of a candidate; the lowest is best.
    private static func rank(_ candidate: Candidate) -> (Int, Int, Int) {
        (candidate.recentFailure == nil ? 0 : 1, candidate.canCapture ? 0 : 1, number(of: candidate.info.id))
    }

    /// Returns the number at the end of an id such as `iio:device12`.
    private static func number(of id: String) -> Int {
        let digits = id.reversed().prefix { $0.isASCII && $0.isNumber }
        return Int(String(digits.reversed())) ?? Int.max
    }
}
