// SPDX-License-Identifier: Apache-2.0

struct Account: Hashable {
    var name: String
    var user: UInt32
    var groups: Set<UInt32>

    var title: String { "the user \(name)" }

    func mayRead(_ file: FileAccess) -> Bool { may(4, file) }

    func mayWrite(_ file: FileAccess) -> Bool { may(2, file) }

    /// Applies the kernel's rule: the first matching class decides; root has all permissions.
    private func may(_ bit: UInt32, _ file: FileAccess) -> Bool {
        if user == 0 { return true }
        let shift: UInt32 = user == file.user ? 6 : groups.contains(file.group) ? 3 : 0
        return file.mode >> shift & bit != 0
    }
}

/// The permissions of a file by its mode; of an ACL only the mask is known, in place of the group's.
struct FileAccess: Hashable {
    var mode: UInt32
    var user: UInt32
    var group: UInt32
    /// The name of the group; nil if unknown.
    var groupName: String?

    /// The text for messages: `mode 0660, root:orientationd`.
    var description: String {
        let digits = String(mode & 0o7777, radix: 8)
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return
            "mode \(padded), \(user == 0 ? "root" : "user \(user)"):\(groupName ?? (group == 0 ? "root" : "\(group)"))"
    }
}

/// The users and groups of a machine, from `/etc/passwd` and `/etc/group`.
struct AccountDatabase {
    /// A line of `/etc/passwd`.
    struct User: Hashable {
        var name: String
        var user: UInt32
        var group: UInt32
        /// The GECOS field: full name and other details.
        var remark: String
        var home: String
    }

    let users: [User]
    private let groups: [(name: String, group: UInt32, members: Set<String>)]

    /// Parses the two files; invalid lines are ignored.
    init(passwd: String, group: String) {
        users = Self.rows(passwd).compactMap { row in
            guard row.count >= 6, let user = UInt32(row[2]), let group = UInt32(row[3]) else { return nil }
            return User(name: row[0], user: user, group: group, remark: row[4], home: row[5])
        }
        groups = Self.rows(group).compactMap { row in
            guard row.count >= 4, let group = UInt32(row[2]) else { return nil }
            return (row[0], group, Set(row[3].split(separator: ",").map(String.init)))
        }
    }

    func account(_ name: String) -> Account? {
        guard let user = users.first(where: { $0.name == name }) else { return nil }
        let further = groups.filter { $0.members.contains(name) }.map(\.group)
        return Account(name: name, user: user.user, groups: Set(further + [user.group]))
    }

    func name(ofUser number: UInt32) -> String? { users.first { $0.user == number }?.name }

    func name(ofGroup number: UInt32) -> String? { groups.first { $0.group == number }?.name }

    func group(_ name: String) -> UInt32? { groups.first { $0.name == name }?.group }

    private static func rows(_ text: String) -> [[String]] {
        text.split(separator: "\n").map { line in
            line.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        }
    }
}
