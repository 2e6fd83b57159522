// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// One way to come by samples; a new one is a file with an ``Accelerometer`` and a row in the table.
package struct SourceKind: Sendable {
    /// What stands before the colon in a sensor's URI.
    package let scheme: String
    /// Whether a colon and an address follow.
    package let takesAddress: Bool
    /// Opens the source; may block, so it is called on the sensor thread.
    package let open: @Sendable (_ address: String, HardwareFacts) throws(SensorFailure) -> any Accelerometer
    /// Says what is wrong with an address without opening anything.
    package let check: @Sendable (_ address: String) throws(SensorFailure) -> Void
    /// Looks at what there is without opening it; may block.
    package let survey: @Sendable (_ address: String, HardwareFacts) throws(SensorFailure) -> [SensorDescription]

    package init(
        scheme: String, takesAddress: Bool,
        check: @escaping @Sendable (String) throws(SensorFailure) -> Void = { _ in },
        open: @escaping @Sendable (String, HardwareFacts) throws(SensorFailure) -> any Accelerometer,
        survey: @escaping @Sendable (String, HardwareFacts) throws(SensorFailure) -> [SensorDescription]
    ) {
        self.scheme = scheme
        self.takesAddress = takesAddress
        self.check = check
        self.open = open
        self.survey = survey
    }
}

/// What `--sensor` named: one source, or several of which the first that exists is taken.
package struct SensorURI: Sendable {
    /// The text as it was given.
    package let text: String
    private let choices: [(kind: SourceKind, address: String)]

    /// Reads a URI such as `auto`, `iio:accel_3d`, `replay:walk.csv?speed=2` or `auto,fake:`.
    ///
    /// A comma separates sources only where the name of one follows, so that file names may have commas.
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
                let known = table.map { $0.takesAddress ? "\($0.scheme):…" : $0.scheme }
                throw .unusable(
                    "'\(part)' names no source of samples; there are \(known.joined(separator: ", "))")
            }
            let address = String(part.dropFirst(kind.scheme.count + 1))
            try kind.check(address)
            choices.append((kind, address))
        }
        self.choices = choices
    }

    /// Whether one of the sources has this scheme.
    package func includes(scheme: String) -> Bool {
        choices.contains { $0.kind.scheme == scheme }
    }

    /// Opens the first source that exists.
    ///
    /// - Throws: the failure of the first one that can get better by itself, since that is the one worth waiting for;
    ///   else that of the first.
    package func open(facts: HardwareFacts) throws(SensorFailure) -> any Accelerometer {
        var failures: [SensorFailure] = []
        for (kind, address) in choices {
            do throws(SensorFailure) {
                return try kind.open(address, facts)
            } catch {
                failures.append(error)
            }
        }
        throw failures.first(where: \.isWorthRetrying) ?? failures.first ?? .unusable("no source was named")
    }

    /// All sensors of all the sources named; one is chosen at the most.
    package func survey(facts: HardwareFacts) -> [SensorDescription] {
        var listings: [SensorDescription] = []
        for (kind, address) in choices {
            let isDecided = listings.contains(where: \.isChosen)
            // What cannot be reached has no sensors to list; opening it tells why.
            for var listing in (try? kind.survey(address, facts)) ?? [] {
                if isDecided, listing.isChosen {
                    listing.isChosen = false
                    listing.why = "an earlier source of '\(text)' exists"
                }
                listings.append(listing)
            }
        }
        return listings
    }

    private static func kind(of part: String, in table: [SourceKind]) -> SourceKind? {
        table.first { kind in
            part == kind.scheme || (kind.takesAddress && part.hasPrefix(kind.scheme + ":"))
        }
    }
}
