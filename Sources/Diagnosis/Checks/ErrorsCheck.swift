// SPDX-License-Identifier: Apache-2.0

extension Check {
    /// What went wrong lately, as the daemon and its log have it.
    static let errors = Check("errors") { facts in
        var findings: [Finding] = []
        if let failures = facts.daemon.status?.failures, let last = failures.last {
            findings.append(
                .note(
                    "the daemon has met \(failures.count == 1 ? "a failure" : "\(failures.count) failures"), at last: \(last)",
                    "It tries again by itself"))
        }
        if let last = facts.journal.warnings.last {
            findings.append(
                .note(
                    "the service's log has warnings, at last: \(last)", "They may be old; the log says when",
                    mend: "journalctl -b -u orientationd.service -p warning"))
        }
        if findings.isEmpty, facts.daemon.status != nil || facts.journal.failure == nil {
            findings.append(.ok("no failure is known"))
        }
        return findings
    }
}
