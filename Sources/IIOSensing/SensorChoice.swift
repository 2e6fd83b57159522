// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// Which of several accelerometers is used, and why.
///
/// Orientation is that of the display: a sensor in the base of a convertible, or in a camera, is never taken unless it
/// was asked for by name. One that has just failed comes after those that have not, one that must be polled after those that speak by
/// themselves. Among equals the one with the lowest number wins, so that the choice is the same after every start.
enum SensorChoice {
    /// A sensor that could be used.
    struct Candidate: Hashable {
        var info: SensorDescription
        var label: String?
        /// Whether its samples can be taken from a buffer.
        var canCapture = false
        /// Why it failed the last time it was used.
        var trouble: String?
    }

    /// The verdict on each candidate, in the order of their numbers; at most one is chosen. `wanted` is the name, id
    /// or label that was asked for, nil for the best.
    static func listings(_ candidates: [Candidate], wanted: String?) -> [SensorDescription] {
        let ordered = candidates.sorted { number(of: $0.info.id) < number(of: $1.info.id) }
        let chosen = ordered.filter { rejection(of: $0, wanted: wanted) == nil }.min { rank($0) < rank($1) }
        return ordered.map { candidate in
            var listing = candidate.info
            listing.isChosen = candidate == chosen
            listing.why =
                if listing.isChosen {
                    praise(candidate, among: ordered, wanted: wanted)
                } else {
                    rejection(of: candidate, wanted: wanted) ?? comparison(of: candidate, with: chosen)
                }
            return listing
        }
    }

    private static func praise(_ chosen: Candidate, among all: [Candidate], wanted: String?) -> String {
        if let wanted { return "asked for as '\(wanted)'" }
        if let trouble = chosen.trouble { return "there is no other, although it has failed: \(trouble)" }
        let rivals = all.filter { $0 != chosen && rejection(of: $0, wanted: nil) == nil }
        if chosen.canCapture, rivals.contains(where: { !$0.canCapture }) {
            return "in the display, and it speaks by itself instead of having to be asked"
        }
        return "the first accelerometer in the display"
    }

    private static func comparison(of candidate: Candidate, with chosen: Candidate?) -> String {
        let other = chosen?.info.id ?? "another one"
        if let trouble = candidate.trouble, chosen?.trouble == nil { return "it has failed: \(trouble)" }
        if chosen?.canCapture == true, !candidate.canCapture {
            return "\(other) speaks by itself, and this one would have to be asked"
        }
        return "\(other) has a lower number and serves as well"
    }

    private static func rejection(of candidate: Candidate, wanted: String?) -> String? {
        if let wanted {
            // An id begins with the scheme of the URI in which it stands, and nobody writes that twice.
            let names = [candidate.info.id, candidate.info.name, candidate.label]
            return names.contains(wanted) || candidate.info.id == "iio:\(wanted)" ? nil : "'\(wanted)' was asked for"
        }
        return ["base", "camera"].contains(candidate.info.location)
            ? "it sits in the \(candidate.info.location), whose orientation is not the display's" : nil
    }

    /// Lower is better.
    private static func rank(_ candidate: Candidate) -> (Int, Int, Int) {
        (candidate.trouble == nil ? 0 : 1, candidate.canCapture ? 0 : 1, number(of: candidate.info.id))
    }

    /// The number at the end of `iio:device12`.
    private static func number(of id: String) -> Int {
        let digits = id.reversed().prefix { $0.isASCII && $0.isNumber }
        return Int(String(digits.reversed())) ?? Int.max
    }
}
