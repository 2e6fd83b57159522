// SPDX-License-Identifier: Apache-2.0

/// Chooses among several accelerometers, and states the reason for each.
///
/// The orientation is that of the display: a sensor in the base of a convertible or in a camera is used only on request.
/// A sensor with a recent failure ranks after all others, a polled one after a captured one. Among equals the lowest
/// number wins, so that the choice is the same after every start.
package enum SensorChoice {
    /// A sensor that could be used.
    package struct Candidate: Hashable {
        package var info: SensorDescription
        package var label: String?
        /// Why it cannot be used, not even on request; nil if it can.
        package var defect: String?
        /// Whether it can be captured from its buffer.
        package var canCapture: Bool
        /// The reason of its last failure, if it is recent.
        package var recentFailure: String?

        package init(
            info: SensorDescription, label: String? = nil, defect: String? = nil, canCapture: Bool = false,
            recentFailure: String? = nil
        ) {
            self.info = info
            self.label = label
            self.defect = defect
            self.canCapture = canCapture
            self.recentFailure = recentFailure
        }
    }

    /// Returns the candidates in the order of their numbers, those with defects last, each with the reason why it was
    /// chosen or not; at most one is chosen. `wanted` is the requested name, id or label; nil for the best.
    package static func listings(_ candidates: [Candidate], wanted: String?) -> [SensorDescription] {
        let ordered = candidates.sorted {
            ($0.defect == nil ? 0 : 1, number(of: $0.info.id)) < ($1.defect == nil ? 0 : 1, number(of: $1.info.id))
        }
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

    /// Returns the message if no sensor is chosen: each candidate with the reason. `place` is where they were searched.
    package static func absence(of wanted: String?, _ place: String, among listings: [SensorDescription]) -> String {
        let what = wanted.map { "no accelerometer '\($0)'" } ?? "no usable accelerometer"
        return (["\(what) \(place)"] + listings.map { "\($0.id) (\($0.name)): \($0.why)" }).joined(separator: "; ")
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
        if let defect = candidate.defect { return defect }
        if let wanted {
            // An id begins with "iio:", which the URI's scheme may already contain.
            let names = [candidate.info.id, candidate.info.name, candidate.label]
            return names.contains(wanted) || candidate.info.id == "iio:\(wanted)" ? nil : "not '\(wanted)'"
        }
        return SensorLocation.rejection(of: candidate.info.location)
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
