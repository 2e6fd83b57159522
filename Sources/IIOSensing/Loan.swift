// SPDX-License-Identifier: Apache-2.0

/// What we have changed on a device, and what it was before: all that is to be given back.
struct Loan: Hashable {
    /// The kernel's name for the device.
    let device: String
    /// Its buffer runs for us.
    var hasBuffer = false
    /// Its own trigger was attached by us, where none was.
    var hasTrigger = false
    /// What `sampling_frequency` was before we set it.
    var frequency: String?
    /// What `current_timestamp_clock` was before we set it.
    var clock: String?

    init(device: String) {
        self.device = device
    }

    /// Whether nothing is to be given back.
    var isEmpty: Bool { self == Loan(device: device) }

    /// One fact in a line, the device first.
    var text: String {
        let lines = [
            "device \(device)", hasBuffer ? "buffer" : nil, hasTrigger ? "trigger" : nil,
            frequency.map { "frequency \($0)" }, clock.map { "clock \($0)" },
        ]
        return lines.compactMap { $0.map { "\($0)\n" } }.joined()
    }

    /// Reads what ``text`` wrote; nil for anything else.
    init?(parsing text: String) {
        let lines = text.split(separator: "\n").map(String.init)
        let facts = lines.map { line in line.split(separator: " ", maxSplits: 1).map(String.init) }
        guard let first = facts.first, first.count == 2, first[0] == "device" else { return nil }
        self.init(device: first[1])
        for fact in facts.dropFirst() {
            switch (fact.first, fact.count) {
            case ("buffer", 1): hasBuffer = true
            case ("trigger", 1): hasTrigger = true
            case ("frequency", 2): frequency = fact[1]
            case ("clock", 2): clock = fact[1]
            default: return nil
            }
        }
    }
}

extension IIODevice {
    /// Sets everything back as it was; false where the buffer still runs.
    func takeBack(_ loan: Loan) -> Bool {
        // First: while it runs, the kernel lets neither the clock nor the trigger be changed.
        let isStopped = !loan.hasBuffer || isBufferEnabled != true || disableBuffer() == 0
        if let former = loan.clock {
            _ = writableAttribute("current_timestamp_clock", channel: "accel_x")?.write(former)
        }
        if let former = loan.frequency {
            _ = writableAttribute("sampling_frequency", channel: "accel_x")?.write(former)
        }
        if loan.hasTrigger { _ = setTrigger(nil) }
        return isStopped
    }
}
