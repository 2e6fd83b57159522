// SPDX-License-Identifier: Apache-2.0

/// The account to which the limits charge a user ID.
///
/// An account can own a range of subordinate user IDs and act as each of them (subuid(5)); a container has a range, too.
/// All numbers of one range are charged together. useradd(8) assigns ranges of 65536 numbers from 100000 on
/// (`SUB_UID_MIN` and `SUB_UID_COUNT` in login.defs(5)); a range that is aligned differently counts as two accounts. Users
/// of a network directory with numbers in one such range share its limits.
package struct ChargedUser: Hashable, Sendable {
    private static let firstSubordinate: UInt32 = 100_000
    private static let rangeLength: UInt32 = 65_536

    /// The user ID, or the first one of its range.
    package let number: UInt32

    /// The account of a user ID.
    package init(_ user: UInt32) {
        let first = Self.firstSubordinate
        number = user < first ? user : first + (user - first) / Self.rangeLength * Self.rangeLength
    }
}
