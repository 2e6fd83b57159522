// SPDX-License-Identifier: Apache-2.0

/// Chooses among several accelerometers, and states the reason for each.
///
/// The display's orientation counts: a sensor in the base of a convertible, in a camera or on a device that can be
/// removed is used only on request. A sensor without a stated location ranks after one in the display, a polled one after
/// a captured one. Among equals the lowest number wins: the choice is the same after every start. A sensor with a
/// recent failure is chosen only if there is no other.
package enum SensorChoice {
    /// A sensor that could be used.
    package struct Candidate: Hashable {
        package var info: SensorDescription
        package var label: String?
        /// Why it cannot be used, not even on request; nil if it can.
        package var defect: String?
        /// Why it is used only on request; nil for one that turns with the display.
        package var rejection: String?
        /// Whether it can be captured from its buffer.
        package var canCapture: Bool
        /// The reason of its last failure, if it is recent.
        package var recentFailure: String?

        package init(
            info: SensorDescription, label: String? = nil, defect: String? = nil, rejection: String? = nil,
            canCapture: Bool = false, recentFailure: String? = nil
        ) {
            self.info = info
            self.label = label
            self.defect = defect
            self.rejection = rejection
            self.canCapture = canCapture
            self.recentFailure = recentFailure
        }

        package init(info: SensorDescription, label: String? = nil, _ traits: SensorTraits, recentFailure: String?) {
            self.init(
                info: info, label: label, defect: traits.defect, rejection: traits.rejection,
                recentFailure: recentFailure)
        }

        package var isLocationStated: Bool { info.isLocationStated }
    }

    /// Returns the candidates in the order of their numbers, those with defects last, each with the reason why it was
    /// chosen or not; at most one is chosen. `wanted` is the requested name, id or label; nil for the best.
    package static func listings(_ candidates: [Candidate], wanted: String?) -> [SensorDescription] {
        let ordered = candidates.sorted {
            ($0.defect == nil ? 0 : 1, number(of: $0.info.id)) < ($1.defect == nil ? 0 : 1, number(of: $1.info.id))
        }
        let ranked = ordered.filter { rejection(of: $0, wanted: wanted) == nil }.sorted { rank($0) < rank($1) }
        // A request by name may match sensors that are rejected without it: they are the last resort.
        let accepted = ranked.filter { $0.rejection == nil }
        let chosen = (accepted.isEmpty ? ranked : accepted).preferred { $0.recentFailure != nil }
        return ordered.map { candidate in
            var listing = candidate.info
            listing.isChosen = candidate == chosen
            listing.why =
                if let chosen, listing.isChosen {
                    wanted.map { "requested as '\($0)'" } ?? reason(for: chosen, among: ranked)
                } else {
                    rejection(of: candidate, wanted: wanted) ?? reason(against: candidate, chosen: chosen)
                }
            if ranked.count > 1, let index = ranked.firstIndex(of: candidate) {
                listing.why += "; rank \(index + 1) of \(ranked.count)"
            }
            return listing
        }
    }

    /// Returns the message if no sensor is chosen: each candidate with the reason. `place` is where they were searched.
    package static func absence(of wanted: String?, _ place: String, among listings: [SensorDescription]) -> String {
        let what = wanted.map { "no accelerometer '\($0)'" } ?? "no usable accelerometer"
        return (["\(what) \(place)"] + listings.map { "\($0.id) (\($0.name)): \($0.why)" }).joined(separator: "; ")
    }

    private static func reason(for chosen: Candidate, among ranked: [Candidate]) -> String {
        if let failure = chosen.recentFailure { return "no other sensor; recent failure: \(failure)" }
        guard ranked.count > 1 else { return "first accelerometer in the display" }
        let place =
            chosen.isLocationStated
            ? "in the \(chosen.info.location), as stated" : "location unknown, assumed in the display"
        let rivals = ranked.filter { $0 != chosen && $0.isLocationStated == chosen.isLocationStated }
        if rivals.isEmpty { return place }
        let advantage =
            chosen.canCapture && !rivals.contains(where: \.canCapture)
            ? "captured instead of polled" : "lowest number of equal sensors"
        return "\(place), and \(advantage): a guess, see 'orientationctl doctor'"
    }

    /// Returns why a sensor without a stated location is not chosen beside this one.
    package static func reason(stated other: SensorDescription) -> String {
        "location unknown, while that of \(other.id) is stated"
    }

    private static func reason(against candidate: Candidate, chosen: Candidate?) -> String {
        if let rejection = candidate.rejection { return rejection }
        let other = chosen?.info.id ?? "another sensor"
        if let failure = candidate.recentFailure, chosen?.recentFailure == nil { return "recent failure: \(failure)" }
        if let chosen, chosen.isLocationStated, !candidate.isLocationStated { return reason(stated: chosen.info) }
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
        return candidate.rejection
    }

    /// Returns the rank of a candidate; the lowest is best.
    private static func rank(_ candidate: Candidate) -> (Int, Int, Int) {
        (candidate.isLocationStated ? 0 : 1, candidate.canCapture ? 0 : 1, number(of: candidate.info.id))
    }

    private static func number(of id: String) -> Int { Int(id.trailingDigits) ?? .max }
}

extension String {
    /// The number at the end of an id such as `iio:device12`; empty without one.
    package var trailingDigits: String { String(reversed().prefix { $0.isASCII && $0.isNumber }.reversed()) }
}

extension Sequence {
    /// Returns the elements in the order of the numbers in their names: `iio:device2` precedes `iio:device10`.
    package func sortedByNumber(_ name: (Element) -> String) -> [Element] {
        sorted { (name($0).utf8.count, name($0)) < (name($1).utf8.count, name($1)) }
    }
}

extension Collection {
    /// Returns the first element that has not failed recently, else the first one.
    package func preferred(hasFailed: (Element) -> Bool) -> Element? {
        first { !hasFailed($0) } ?? first
    }
}
