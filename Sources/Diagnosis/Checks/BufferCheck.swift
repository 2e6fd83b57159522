// SPDX-License-Identifier: Apache-2.0

extension Check {
    /// Who captures from each accelerometer: only one program can.
    static let buffer = Check("buffer") { facts in
        facts.accelerometers.filter { $0.attributes["buffer/enable"] != nil }.map { device in
            let holders = facts.processes.holders(of: device.id)
            if holders.contains(where: { $0.name == "orientationd" }) {
                return .ok("the daemon captures from \(device.title)")
            }
            guard device.isCaptured else {
                return holders.isEmpty
                    ? .ok("nobody captures from \(device.title)")
                    : .note(
                        "\(names(holders)) has /dev/\(device.id) open, and captures nothing",
                        "If it begins to, the daemon has to ask the sensor again and again in place of being told")
            }
            return captured(device, by: holders, facts)
        }
    }

    private static func captured(
        _ device: DeviceFacts, by holders: [ProcessFacts.Process], _ facts: MachineFacts
    ) -> Finding {
        guard let holder = holders.first else {
            guard facts.processes.isComplete else {
                return .note(
                    "the buffer of \(device.title) runs; which program runs it, only root can see",
                    "If it is not the daemon, only single readings are left to it", mend: "sudo orientationctl doctor")
            }
            return facts.serious(
                "the buffer of \(device.title) runs, and no program has it open",
                "A program that was killed has left it so. The daemon never stops what it did not start",
                mend: "echo 0 | sudo tee \(device.folder)/buffer/enable")
        }
        let seen = "\(names(holders)) captures from \(device.title)"
        if device.readings.isBusy {
            return facts.serious(
                seen, "The chip gives no single readings meanwhile: the daemon gets nothing until that program ends",
                mend: "sudo kill \(holder.identifier)")
        }
        return .note(
            seen, "Only one program can; the daemon asks for single readings beside it, which takes more power",
            mend: "sudo kill \(holder.identifier)")
    }

    private static func names(_ holders: [ProcessFacts.Process]) -> String {
        holders.map(\.title).joined(separator: " and ")
    }
}
