// SPDX-License-Identifier: Apache-2.0

/// What is to be said of a machine on which the screen does not turn as it should: facts in, findings out.
package struct Examination: Sendable {
    /// In the order of the checks.
    package let findings: [Finding]

    /// Every check, from the kernel up: what is mended first makes what comes after it work. A new one is a file in
    /// `Checks` and a row here.
    package static let checks: [Check] = [
        .kernel, .devices, .drivers, .permissions, .udev, .properties, .matrix, .reading, .buffer, .proxy, .service,
        .socket, .sensor, .lock, .tabletMode, .classifier, .errors, .coverage,
    ]

    package init(_ facts: MachineFacts) {
        findings = Self.checks.flatMap { $0.findings(facts) }
    }

    package func count(_ level: Finding.Level) -> Int {
        findings.count { $0.level == level }
    }
}
