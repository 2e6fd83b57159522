// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationDaemon

@Suite struct AuthorityTests {
    private let authority = Authority(ownUser: 900, group: 800)

    private func client(_ user: UInt32, groups: Set<UInt32> = [], isSeated: Bool = false) -> Authority.Client {
        Authority.Client(user: user, groups: { groups }, isSeated: { isSeated })
    }

    @Test(arguments: [(0, []), (900, []), (1000, [800]), (1000, [5, 800, 6])] as [(UInt32, Set<UInt32>)])
    func `root, the daemon's own user and the group may do everything`(user: UInt32, groups: Set<UInt32>) {
        #expect(authority.missing(.trusted, for: client(user, groups: groups)) == nil)
        #expect(authority.missing(.trustedOrSeated, for: client(user, groups: groups)) == nil)
    }

    @Test func `whoever sits at the machine may do what is for the seat, and nothing else`() {
        let seated = client(1000, groups: [1000], isSeated: true)
        #expect(authority.missing(.trustedOrSeated, for: seated) == nil)
        #expect(authority.missing(.trusted, for: seated)?.contains("the group orientationd") == true)
    }

    @Test func `all others are told what it takes`() {
        let other = client(1000, groups: [1000])
        #expect(authority.missing(.trusted, for: other)?.hasPrefix("root, the daemon's own user") == true)
        #expect(authority.missing(.trustedOrSeated, for: other)?.hasPrefix("an active session") == true)
    }

    @Test func `logind is not asked about those who may anyway`() {
        var isAsked = false
        let member = Authority.Client(
            user: 1000, groups: { [800] },
            isSeated: {
                isAsked = true
                return false
            })
        #expect(authority.missing(.trustedOrSeated, for: member) == nil)
        #expect(!isAsked)
    }

    @Test func `without the group on the machine no number stands for it`() {
        let authority = Authority(ownUser: 900, group: nil)
        #expect(authority.missing(.trusted, for: client(1000, groups: [0, 800, 900])) != nil)
    }

    @Test func `the daemon's own user is trusted as a user, not as a number of a group`() {
        #expect(authority.missing(.trusted, for: client(800)) != nil)
        #expect(authority.missing(.trusted, for: client(1000, groups: [900])) != nil)
    }
}
