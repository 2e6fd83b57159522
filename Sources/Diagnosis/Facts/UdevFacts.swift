// SPDX-License-Identifier: Apache-2.0

/// udev, and the rule that lets the daemon use accelerometers.
package struct UdevFacts: Hashable, Sendable {
    /// Whether `/run/udev/control` is there.
    package var isRunning = false
    /// Where the rule was found; nil where it is not installed.
    package var rule: String?
    /// Whether what was found is empty, which switches the rule off.
    package var isRuleMasked = false

    package init() {}

    /// The rule's name in each of the folders that udev reads.
    package static let ruleName = "70-orientationd.rules"
}

/// What udev's database says of one device.
package struct UdevRecord: Hashable, Sendable {
    package private(set) var properties: [String: String] = [:]
    package private(set) var tags: Set<String> = []
    /// Whether udev has run its rules for the device.
    package private(set) var isProcessed = false

    /// Reads the kernel's `uevent` file, and udev's own on top of it; nil where udev has none yet.
    package init(uevent: String, database: String? = nil) {
        for line in uevent.split(separator: "\n") { take(line) }
        guard let database else { return }
        for line in database.split(separator: "\n") {
            switch line.prefix(2) {
            case "E:": take(line.dropFirst(2))
            case "G:", "Q:": tags.insert(String(line.dropFirst(2)))
            case "I:": isProcessed = true
            default: break
            }
        }
    }

    private mutating func take(_ line: Substring) {
        let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2 else { return }
        properties[String(sides[0])] = String(sides[1])
        if sides[0] == "TAGS" { tags.formUnion(sides[1].split(separator: ":").map(String.init)) }
    }
}
