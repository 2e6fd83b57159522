// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import Glibc

extension Redaction.Words {
    /// What this machine and its users are called, and its serial numbers, as far as they can be read: root can read
    /// them, and root's report is the one in which they could stand.
    init(_ root: SystemRoot, _ accounts: AccountDatabase) {
        self.init()
        addHosts(root)
        for user in accounts.users where (1_000..<65_534).contains(user.user) {
            users.insert(user.name)
            homes.insert(user.home)
            if let fullName = user.remark.split(separator: ",").first { users.insert(String(fullName)) }
        }
        for variable in ["USER", "LOGNAME", "SUDO_USER"] { users.formUnion(Self.environment(variable)) }
        homes.formUnion(Self.environment("HOME"))
        let dmi = [
            "product_serial", "board_serial", "chassis_serial", "product_uuid", "board_asset_tag", "chassis_asset_tag",
        ]
        let files =
            dmi.map { "/sys/class/dmi/id/\($0)" } + ["/sys/firmware/devicetree/base/serial-number", "/etc/machine-id"]
        serials = Set(files.compactMap { root.line($0) })
        for device in root.entries("/sys/bus/hid/devices") {
            let uevent = UdevRecord(uevent: root.text("/sys/bus/hid/devices/\(device)/uevent") ?? "")
            if let serial = uevent.properties["HID_UNIQ"] { serials.insert(serial) }
        }
        // Firmware pads with spaces.
        serials = Set(serials.map(\.trimmed).filter { !$0.isEmpty })
    }

    private mutating func addHosts(_ root: SystemRoot) {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        let own = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let info = UdevRecord(uevent: root.text("/etc/machine-info") ?? "").properties["PRETTY_HOSTNAME"]
        let names = [own, root.line("/etc/hostname")?.trimmed, info?.filter { $0 != "\"" }].compactMap { $0 }
        // With its domain, and without.
        let short = names.compactMap { $0.split(separator: ".").first.map(String.init) }
        hosts = Set((names + short).filter { !$0.isEmpty })
    }

    private static func environment(_ name: String) -> [String] {
        getenv(name).map { String(cString: $0) }.map { $0.isEmpty ? [] : [$0] } ?? []
    }
}

extension String {
    /// Without white space at its ends.
    fileprivate var trimmed: String {
        split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
