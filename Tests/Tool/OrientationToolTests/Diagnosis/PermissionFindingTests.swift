// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationTool

/// Findings about the permissions of the daemon's user and of the users in its groups.
@Suite struct PermissionFindingTests {
    private let good = MachineFacts.good

    @Test(arguments: DeviceFacts.axes)
    func `an axis that the daemon's user cannot read is a problem`(axis: String) throws {
        let shut = good.withDevice {
            $0.files["in_accel_\(axis)_raw"] = FileAccess(mode: 0o600, user: 0, group: 0)
        }
        let finding = try #require(shut.fault("permissions"))
        #expect(finding.level == .problem)
        #expect(
            finding.summary
                == "the user orientationd cannot read in_accel_\(axis)_raw of iio:device0 (kxcjk1013): mode 0600, root:root"
        )
        #expect(finding.fix?.command == "sudo chmod a+r /sys/bus/iio/devices/iio:device0/in_accel_*")
    }

    @Test(arguments: ["/dev/iio:device0", "buffer/enable"])
    func `a buffer that the daemon's user cannot use is fixed by the udev rule`(file: String) throws {
        let root = FileAccess(mode: 0o640, user: 0, group: 0)
        let shut = good.withDevice {
            if file == "buffer/enable" { $0.files[file] = root } else { $0.node = root }
        }
        let finding = try #require(shut.fault("permissions"))
        #expect(finding.level == .problem)
        #expect(finding.summary.contains("cannot use \(file) of"))
        #expect(finding.fix?.command.contains("udevadm trigger") == true)
        let own = shut.with { $0.daemon.socket = "/run/user/1000/orientationd.sock" }
        #expect(own.fault("permissions")?.level == .note)
    }

    @Test func `a missing user is a problem for the service, and a note without it`() {
        #expect(good.with { $0.daemonAccount = nil }.fault("permissions")?.fix?.command == "sudo systemd-sysusers")
        let byHand = good.with {
            $0.daemonAccount = nil
            $0.service = ServiceFacts()
        }
        #expect(byHand.fault("permissions")?.level == .note)
    }

    @Test func `users in the service's group are listed, with the commands that change it`() {
        #expect(good.fault("groups") == nil)
        let none = AccountDatabase(passwd: "", group: "")
        #expect(good.with { $0.accounts = none }.fault("groups")?.fix?.command == "sudo systemd-sysusers")
        let accounts = AccountDatabase(
            passwd: """
                orientationd:x:990:990::/nonexistent:/usr/sbin/nologin
                jane:x:1000:1000::/home/jane:/bin/sh
                bob:x:1001:990::/home/bob:/bin/sh
                eve:x:1002:1002::/home/eve:/bin/sh
                """, group: "orientationd:x:990:jane\norientation:x:991:bob,eve\n")
        let found = Examination(good.with { $0.accounts = accounts }).findings.filter { $0.check == "groups" }
        #expect(found.map(\.level) == [.note, .note])
        #expect(
            found.map(\.fix?.command) == [
                "sudo gpasswd -a jane orientation && sudo gpasswd -d jane orientationd", nil,
            ])
        #expect(found.first?.detail?.contains("denies them motion data") == true)
        let byHand = good.with {
            $0.accounts = none
            $0.service = ServiceFacts()
        }
        #expect(byHand.fault("groups") == nil)
    }
}
