// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import VarlinkServer

@Suite struct AuthorityTests {
    private let authority = Authority(ownUser: 900, group: 800)

    private func caller(isTrusted: Bool) -> Caller {
        Caller(client: ClientID(serial: 1), user: 1000, isTrusted: isTrusted)
    }

    @Test(arguments: [(0, []), (900, []), (1000, [800]), (1000, [5, 800, 6])] as [(UInt32, Set<UInt32>)])
    func `root, the daemon's own user and members of the group are trusted`(user: UInt32, groups: Set<UInt32>) {
        #expect(authority.isTrusted(user: user, isMember: groups.contains))
    }

    @Test(arguments: [(800, []), (1000, [900]), (1000, [1000])] as [(UInt32, Set<UInt32>)])
    func `the number of a group does not stand for a user, nor that of a user for a group`(
        user: UInt32, groups: Set<UInt32>
    ) {
        #expect(!authority.isTrusted(user: user, isMember: groups.contains))
    }

    @Test func `groups are read only if the user does not decide`() {
        for user in [0, 900, 65_534] as [UInt32] {
            _ = authority.isTrusted(user: user) { _ in
                Issue.record("user \(user)")
                return false
            }
        }
    }

    @Test func `without the group no group id is trusted`() {
        #expect(!Authority(ownUser: 900, group: nil).isTrusted(user: 1000) { [0, 800, 900].contains($0) })
    }

    @Test func `a user at the seat meets only the requirement of the seat`() {
        let needs = Authority.Requirement.trusted.missing(for: caller(isTrusted: false)) { _ in true }
        #expect(needs == "root, the daemon's own user, or membership in the group orientation")
        #expect(Authority.Requirement.trustedOrSeated.missing(for: caller(isTrusted: false)) { $0 == 1000 } == nil)
    }

    @Test func `the missing requirement is stated for another user`() {
        let needs = Authority.Requirement.trustedOrSeated.missing(for: caller(isTrusted: false)) { _ in false }
        #expect(
            needs == "an active session of logind at this machine, root, or membership in the group orientation, "
                + "which needs no session")
    }

    @Test func `logind is not queried for a trusted caller`() {
        var isAsked = false
        let needs = Authority.Requirement.trustedOrSeated.missing(for: caller(isTrusted: true)) { _ in
            isAsked = true
            return false
        }
        #expect(needs == nil)
        #expect(!isAsked)
    }

    @Test func `the overflow user is never trusted, even if the daemon runs as it`() {
        let authority = Authority(ownUser: 65_534, group: 800)
        #expect(!authority.isTrusted(user: 65_534) { $0 == 800 })
        let unmapped = Caller(client: ClientID(serial: 1), user: 65_534, isTrusted: false)
        #expect(Authority.Requirement.trustedOrSeated.missing(for: unmapped) { _ in true } != nil)
    }

    @Test func `a private service admits its own user and root, and no other`() {
        let authority = Authority(ownUser: 900, group: nil, isPrivate: true)
        #expect([0, 900].allSatisfy { authority.missingForConnection(user: $0) { $0 == 1 } == nil })
        for user in [1000, Authority.unmappedUser] as [UInt32] {
            #expect(authority.missingForConnection(user: user) { $0 >= 800 } == "the user 900 or root")
        }
        #expect(self.authority.missingForConnection(user: 1000) { _ in false } == nil)
    }
}
