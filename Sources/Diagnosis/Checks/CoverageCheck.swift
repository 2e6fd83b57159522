// SPDX-License-Identifier: Apache-2.0

extension Check {
    /// What could not be looked at: an examination must not seem better than it is.
    static let coverage = Check("coverage") { facts in
        var unseen: [String] = []
        if !facts.processes.isComplete { unseen.append("which program captures from a sensor") }
        if facts.daemon.failure == nil, facts.daemon.status == nil {
            unseen.append("the daemon's status and the motion")
        }
        if facts.journal.failure != nil, facts.service.failure == nil { unseen.append("the service's log") }
        guard !unseen.isEmpty else { return [] }
        let list = unseen.joined(separator: ", ")
        guard facts.caller.user != 0 else {
            return [.note("not everything could be looked at: \(list)", "What is said above stands without it")]
        }
        return [
            .note(
                "\(facts.caller.title) may not look at everything: \(list)", "Root may",
                mend: "sudo orientationctl doctor")
        ]
    }
}
