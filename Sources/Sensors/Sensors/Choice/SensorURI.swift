// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// A kind of source. A new one is a file with an ``Accelerometer`` and a row in the table.
package struct SourceKind: Sendable {
    /// The scheme of the sensor URI.
    let scheme: String
    /// Whether a colon and an address follow the scheme.
    let takesAddress: Bool
    /// Whether its sensors are chips of this machine.
    var isHardware = false
    /// Returns what is known of the sensor before the source is opened; nil if nothing is.
    var expected: @Sendable (_ address: String) -> SensorDescription? = { _ in nil }
    /// Checks an address without opening anything.
    var check: @Sendable (_ address: String) throws(SensorFailure) -> Void = { _ in }
    /// Checks whether the target of an address exists, as far as that can be known at the start.
    var checkExistence: @Sendable (_ address: String) throws(SensorFailure) -> Void = { _ in }
    /// Whether the machine may have such sensors.
    var isPresent: @Sendable (HardwareFacts) -> Bool = { _ in true }
    /// Opens a source. May block: called on the sensor thread.
    let open: @Sendable (_ address: String, HardwareFacts) throws(OpenFailure) -> any Accelerometer
    /// Scans for sensors without opening them. May block.
    let scan: @Sendable (_ address: String, HardwareFacts) throws(SensorFailure) -> [SensorDescription]
}

/// The value of `--sensor`: one source, or several of which the first available one is opened.
package struct SensorURI: Sendable {
    package let text: String
    private let choices: [(kind: SourceKind, address: String)]

    fileprivate init(_ choices: [(kind: SourceKind, address: String)], text: String) {
        self.choices = choices
        self.text = text
    }

    /// Parses a URI such as `auto`, `iio:accel_3d`, `replay:walk.csv?speed=2` or `auto,fake:`.
    ///
    /// A comma separates sources only if a scheme follows: file names may contain commas.
    package init(parsing text: String, table: [SourceKind]) throws(SensorFailure) {
        self.text = text
        var parts: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            if parts.isEmpty || Self.kind(of: part, in: table) != nil {
                parts.append(part)
            } else {
                parts[parts.count - 1] += "," + part
            }
        }
        var choices: [(SourceKind, String)] = []
        for part in parts {
            guard let kind = Self.kind(of: part, in: table) else {
                let known = table.map { $0.takesAddress ? "\($0.scheme):..." : $0.scheme }
                throw .unusable(
                    "unknown sensor source '\(part)': must be one of \(known.joined(separator: ", "))")
            }
            let address = String(part.dropFirst(kind.scheme.count + 1))
            try kind.check(address)
            choices.append((kind, address))
        }
        // If the name of the only source can be checked now, a missing source is an error. Of several sources, the
        // first one that exists is used.
        if choices.count == 1 { try choices[0].0.checkExistence(choices[0].1) }
        self.choices = choices
    }

    package func includes(scheme: String) -> Bool {
        choices.contains { $0.kind.scheme == scheme }
    }

    /// Returns the address of the first source with this scheme; nil if there is none.
    package func address(ofScheme scheme: String) -> String? {
        choices.first { $0.kind.scheme == scheme }?.address
    }

    package func isOnly(scheme: String) -> Bool {
        choices.allSatisfy { $0.kind.scheme == scheme }
    }

    /// Whether the sensors of one of the sources are chips of this machine.
    package var includesHardware: Bool { choices.contains(where: \.kind.isHardware) }

    /// What is known of the sensor of the first source before it is opened; nil if nothing is.
    package var expected: SensorDescription? {
        choices.first.flatMap { $0.kind.expected($0.address) }
    }

    private static func kind(of part: String, in table: [SourceKind]) -> SourceKind? {
        table.first { kind in
            part == kind.scheme || (kind.takesAddress && part.hasPrefix(kind.scheme + ":"))
        }
    }
}

// MARK: Several sources

extension SensorURI {
    /// Opens the first available source.
    ///
    /// - Throws: A failure of a sensor that exists, else the absence from all sources that may have one later, else the
    ///   first failure.
    func open(facts: HardwareFacts) throws(OpenFailure) -> any Accelerometer {
        var failures: [OpenFailure] = []
        for (kind, address) in choices where kind.isPresent(facts) {
            do throws(OpenFailure) {
                if kind.isHardware, let failure = facts.failure { throw OpenFailure(reason: failure) }
                return try kind.open(address, facts)
            } catch {
                failures.append(error)
            }
        }
        if let failure = failures.first(where: { $0.reason.isWorthRetrying && !$0.reason.isAbsence }) { throw failure }
        // Each absence names the sensors that were rejected.
        let absences = failures.filter(\.reason.isAbsence).map(\.reason.description)
        if !absences.isEmpty { throw OpenFailure(reason: .noDevice(absences.joined(separator: "; "))) }
        throw failures.first ?? OpenFailure(reason: .noDevice("\(text): no such sensor on this machine"))
    }

    /// Opens the best available source; see ``best(_:_:)``.
    fileprivate func openBest(facts: HardwareFacts) throws(OpenFailure) -> any Accelerometer {
        // Without a reason for another source than the first the sensors are not scanned twice.
        let isLocationInUdev = facts.properties.values.contains { $0[.location] != nil }
        guard !facts.recentFailures.isEmpty || isLocationInUdev else { return try open(facts: facts) }
        let sensors = try OpenFailure.naming(nil) { () throws(SensorFailure) in try lists(facts) }
        guard let index = best(sensors, facts) else { return try open(facts: facts) }
        var ordered = choices
        ordered.insert(ordered.remove(at: index), at: 0)
        return try SensorURI(ordered, text: text).open(facts: facts)
    }

    /// Scans the sensors of all sources; at most one is chosen. `ofBest`: it is the sensor that ``openBest(facts:)`` opens.
    func scan(facts: HardwareFacts, ofBest: Bool = false) throws(SensorFailure) -> [SensorDescription] {
        let reason = ofBest ? "an IIO accelerometer is available" : "an earlier source of '\(text)' is available"
        let lists = try lists(facts)
        let decided = ofBest ? best(lists, facts) : lists.firstIndex { $0.contains(where: \.isChosen) }
        let stated = decided.flatMap { lists[$0].first { $0.isChosen && $0.isLocationStated } }
        let listings = lists.enumerated().flatMap { index, list in
            list.map { sensor in
                guard index != decided, sensor.isChosen else { return sensor }
                var listing = sensor
                listing.isChosen = false
                listing.why =
                    facts.recentFailure(of: sensor.id).map { "recent failure: \($0)" }
                    ?? stated.flatMap { index < decided ?? 0 ? SensorChoice.reason(stated: $0) : nil } ?? reason
                return listing
            }
        }
        return merged(listings)
    }

    /// Lists each sensor once: several sources may find it, as in `iio:NAME,auto`. One that none of them chose has the
    /// reasons of all.
    private func merged(_ listings: [SensorDescription]) -> [SensorDescription] {
        var merged: [SensorDescription] = []
        for listing in listings {
            guard let index = merged.firstIndex(where: { $0.id == listing.id }) else {
                merged.append(listing)
                continue
            }
            if listing.isChosen {
                merged[index] = listing
            } else if !merged[index].isChosen, merged[index].why != listing.why {
                merged[index].why += "; \(listing.why)"
            }
        }
        return merged
    }

    /// The sensors of each source.
    ///
    /// - Throws: The failure of a source that may have a sensor, if no source before it has one: another one would be chosen.
    private func lists(_ facts: HardwareFacts) throws(SensorFailure) -> [[SensorDescription]] {
        var lists: [[SensorDescription]] = []
        for (kind, address) in choices {
            do throws(SensorFailure) {
                if kind.isHardware, let failure = facts.failure { throw failure }
                lists.append(try kind.scan(address, facts))
            } catch {
                let isDecided = lists.contains { $0.contains(where: \.isChosen) }
                if !isDecided, error.isWorthRetrying, !error.isAbsence { throw error }
                lists.append([])
            }
        }
        return lists
    }

    /// Returns the index of the source with the best sensor: one without a recent failure, then one with a stated location,
    /// then that of the first source.
    private func best(_ lists: [[SensorDescription]], _ facts: HardwareFacts) -> Int? {
        lists.indices.compactMap { index in
            lists[index].first(where: \.isChosen).map { sensor in
                (facts.recentFailure(of: sensor.id) == nil ? 0 : 1, sensor.isLocationStated ? 0 : 1, index)
            }
        }.min { $0 < $1 }?.2
    }
}

extension SourceKind {
    /// The row `auto`: the best sensor of this machine, from one of `kinds`; among equals, from the first.
    package static func automatic(_ kinds: [SourceKind]) -> SourceKind {
        let list = SensorURI(kinds.map { ($0, "") }, text: "auto")
        return SourceKind(
            scheme: "auto", takesAddress: false, isHardware: true,
            open: { _, facts throws(OpenFailure) in try list.openBest(facts: facts) },
            scan: { _, facts throws(SensorFailure) in try list.scan(facts: facts, ofBest: true) })
    }
}

extension SensorFailure {
    /// Whether there is no sensor, rather than one that failed.
    fileprivate var isAbsence: Bool {
        if case .noDevice = self { true } else { false }
    }
}

/// The address of a source: a name, and options after a question mark.
struct SourceAddress {
    let name: String
    private let scheme: String
    private let options: [String: String]

    /// Parses `NAME` or `NAME?key=value&key=value` with the options in `known`. A question mark is part of the name unless
    /// `key=` follows.
    ///
    /// - Throws: ``SensorFailure`` for an unknown or a duplicate option.
    init(parsing text: String, scheme: String, known: Set<String>) throws(SensorFailure) {
        if let mark = text.lastIndex(of: "?"), text[mark...].contains("=") {
            let options = text[text.index(after: mark)...]
            try self.init(name: String(text[..<mark]), options: options, scheme: scheme, known: known)
        } else {
            try self.init(name: text, options: "", scheme: scheme, known: known)
        }
    }

    /// Parses options, `key=value&key=value`, of those in `known`.
    ///
    /// - Throws: ``SensorFailure`` for an unknown or a duplicate option.
    init(name: String, options text: Substring, scheme: String, known: Set<String>) throws(SensorFailure) {
        self.name = name
        self.scheme = scheme
        var options: [String: String] = [:]
        for option in text.split(separator: "&") {
            let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, known.contains(String(parts[0])) else {
                let names = known.sorted().map { "\($0)=..." }.joined(separator: ", ")
                throw .unusable("\(scheme): unknown option '\(option)': must be one of \(names)")
            }
            guard options.updateValue(String(parts[1]), forKey: String(parts[0])) == nil else {
                throw .unusable("\(scheme): duplicate option '\(option)': must be given once")
            }
        }
        self.options = options
    }

    /// Returns the text of an option; nil if it is absent.
    subscript(option: String) -> String? { options[option] }

    /// Returns the value of a boolean option.
    func flag(_ option: String) throws(SensorFailure) -> Bool {
        switch self[option] {
        case nil, "0": return false
        case "1": return true
        case let text?: throw .unusable("\(scheme): invalid value '\(text)' for \(option): must be 0 or 1")
        }
    }
}
