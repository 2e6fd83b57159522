// SPDX-License-Identifier: Apache-2.0

import Diagnosis

/// Asks systemd's tools for the state of the units and for what the service has written.
struct ServiceReader {
    let root: SystemRoot

    /// How many lines of the log a report has.
    private static let logLines = 200

    func service() -> ServiceFacts {
        let properties = ServiceFacts.Unit.Property.allCases.map(\.rawValue).joined(separator: ",")
        var facts: ServiceFacts
        switch OtherProgram.ask([
            "systemctl", "show", "--no-pager", "--property=\(properties)", "orientationd.socket",
            "orientationd.service",
        ]) {
        case .text(let text): facts = ServiceFacts(systemctl: text)
        case .failed(let reason):
            facts = ServiceFacts()
            facts.failure = reason
        }
        // systemd keeps this link while the service runs.
        facts.isProxyRunning = root.link("/run/systemd/units/invocation:iio-sensor-proxy.service") != nil
        return facts
    }

    /// The service's warnings since the machine started.
    func journal() -> JournalFacts {
        var facts = JournalFacts()
        switch log(["--priority=warning", "--lines=20", "--output=cat"]) {
        case .text(let text): facts.warnings = text.split(separator: "\n").map(String.init)
        case .failed(let reason): facts.failure = reason
        }
        return facts
    }

    /// All that the service has written lately; one line says why, where it cannot be read.
    func recentLog() -> [String] {
        switch log(["--lines=\(Self.logLines)", "--output=short-iso", "--no-hostname", "--utc"]) {
        case .text(let text): text.split(separator: "\n").map(String.init)
        case .failed(let reason): ["not readable: \(reason)"]
        }
    }

    private func log(_ options: [String]) -> OtherProgram.Answer {
        OtherProgram.ask(["journalctl", "--quiet", "--no-pager", "--boot", "--unit=orientationd.service"] + options)
    }
}
