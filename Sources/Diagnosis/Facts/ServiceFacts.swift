// SPDX-License-Identifier: Apache-2.0

/// What systemd says of the units.
package struct ServiceFacts: Hashable, Sendable {
    package var units: [Unit] = []
    /// Why systemd could not be asked; nil where it answered.
    package var failure: String?
    /// Whether systemd has a running iio-sensor-proxy.
    package var isProxyRunning = false

    package init() {}

    /// Reads what `systemctl show` prints: lines KEY=VALUE, an empty line between units.
    package init(systemctl output: String) {
        units = output.split(separator: "\n\n").map { Unit(lines: $0.split(separator: "\n")) }
    }

    /// A unit that is installed; nil where there is none of this name.
    package func unit(_ name: String) -> Unit? {
        units.first { $0.name == name && $0[.load] != "not-found" }
    }

    package struct Unit: Hashable, Sendable {
        private let properties: [String: String]

        /// The properties that are asked for.
        package enum Property: String, CaseIterable, Sendable {
            case id = "Id"
            case load = "LoadState"
            case active = "ActiveState"
            case sub = "SubState"
            case file = "UnitFileState"
            case result = "Result"
            case restarts = "NRestarts"
            case user = "User"
            case command = "ExecStart"
        }

        init(lines: [Substring]) {
            var properties: [String: String] = [:]
            for line in lines {
                let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if sides.count == 2 { properties[String(sides[0])] = String(sides[1]) }
            }
            self.properties = properties
        }

        package subscript(property: Property) -> String { properties[property.rawValue] ?? "" }

        var name: String { self[.id] }

        /// The words of its command, from `{ path=… ; argv[]=WORDS ; ignore_errors=… }`.
        var arguments: [String] {
            let parts = self[.command].split(separator: ";").map { $0.drop { $0 == " " || $0 == "{" } }
            guard let part = parts.first(where: { $0.hasPrefix("argv[]=") }) else { return [] }
            return part.dropFirst("argv[]=".count).split(separator: " ").map(String.init)
        }
    }
}

/// What the service has written lately.
package struct JournalFacts: Hashable, Sendable {
    /// Its warnings and errors since the machine started, newest last.
    package var warnings: [String] = []
    /// Why the journal could not be read; nil where it could.
    package var failure: String?

    package init() {}
}
