// SPDX-License-Identifier: Apache-2.0

extension Check {
    /// Whether the daemon answers, and is of this version.
    static let socket = Check("socket") { facts in
        let daemon = facts.daemon
        guard let failure = daemon.failure else {
            guard daemon.version == daemon.ownVersion else {
                return [
                    .problem(
                        "the daemon is version \(daemon.version ?? "unknown"), and this tool is \(daemon.ownVersion)",
                        "One of the two was updated and the other not, or the daemon still runs as it was before",
                        mend: "sudo systemctl restart orientationd.service")
                ]
            }
            return [.ok("the daemon answers at \(daemon.socket), version \(daemon.ownVersion)")]
        }
        let mend =
            facts.service.unit("orientationd.socket") != nil && daemon.isSystems
            ? "sudo systemctl enable --now orientationd.socket && sudo systemctl restart orientationd.service"
            : "orientationd"
        return [
            .problem(
                daemon.isSocketThere
                    ? "there is \(daemon.socket), and no daemon answers: \(failure)"
                    : "there is no socket at \(daemon.socket)",
                "No app can ask how the device is held", mend: mend)
        ]
    }
}
