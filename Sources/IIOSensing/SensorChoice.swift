// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// Which of several accelerometers is used, and why.
///
/// Orientation is that of the display: a sensor in the base of a convertible is never taken unless it was asked for by
/// name. Among equals the one with the lowest number wins, so that the choice is the same after every start.
enum SensorChoice {
    /// A sensor that could be used.
    struct Candidate: Hashable {
        let info: SensorDescription
        let label: String?
    }

    /// The verdict on each candidate, in the order of their numbers; at most one is chosen. `wanted` is the name, id
    /// or label that was asked for, nil for the best.
    static func listings(_ candidates: [Candidate], wanted: String?) -> [SensorDescription] {
        let ordered = candidates.sorted { number(of: $0.info.id) < number(of: $1.info.id) }
        let chosen = ordered.first { rejection(of: $0, wanted: wanted) == nil }
        return ordered.map { candidate in
            var listing = candidate.info
            listing.isChosen = candidate == chosen
            listing.why =
                if listing.isChosen {
                    wanted.map { "asked for as '\($0)'" } ?? "the first accelerometer in the display"
                } else {
                    rejection(of: candidate, wanted: wanted)
                        ?? "\(chosen?.info.id ?? "another one") has a lower number and serves as well"
                }
            return listing
        }
    }

    private static func rejection(of candidate: Candidate, wanted: String?) -> String? {
        if let wanted {
            let names = [candidate.info.id, candidate.info.name, candidate.label]
            return names.contains(wanted) ? nil : "'\(wanted)' was asked for"
        }
        return candidate.info.location == "base"
            ? "it sits in the base, whose orientation is not the display's" : nil
    }

    /// The number at the end of `iio:device12`.
    private static func number(of id: String) -> Int {
        let digits = id.reversed().prefix { $0.isASCII && $0.isNumber }
        return Int(String(digits.reversed())) ?? Int.max
    }
}
