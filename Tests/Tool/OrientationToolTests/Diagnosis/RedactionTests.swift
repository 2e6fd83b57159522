// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationTool

@Suite struct RedactionTests {
    private let redact: Redaction = {
        var words = Redaction.Words()
        words.hosts = ["janes-tablet.example.org", "janes-tablet"]
        words.users = ["jane", "Jane Doe", "root", "orientationd"]
        words.homes = ["/srv/people/jane", "/"]
        words.serials = ["5CD0123XYZ", "Default string", "None", "0", "4c4c4544-0042-3510-8057-b3c04f4e3232"]
        return Redaction(words)
    }()

    @Test(arguments: [
        ("serial 5CD0123XYZ, serial 5cd0123xyz", "serial [serial], serial [serial]"),
        ("uuid 4C4C4544-0042-3510-8057-B3C04F4E3232", "uuid [serial]"),
        (
            "2026-11-21T20:00:00+0000 janes-tablet orientationd[77]: started",
            "2026-11-21T20:00:00+0000 [host] orientationd[77]: started"
        ),
        ("at janes-tablet.example.org.", "at [host]."),
        ("/mnt/jane_backup, my_jane on janes-tablet_old", "/mnt/[user]_backup, my_[user] on [host]_old"),
        ("session of user jane (Jane Doe)", "session of user [user] ([user])"),
        ("cannot open /srv/people/jane/walk.csv", "cannot open [home]/walk.csv"),
        ("replay:/home/other.user/walk.csv?speed=2", "replay:[home]/walk.csv?speed=2"),
        ("/home/x", "[home]"),
        ("machine 0123456789abcdef0123456789abcdef.", "machine [id]."),
        ("boot 01234567-89ab-cdef-0123-456789abcdef: new", "boot [id]: new"),
        ("wlan0 12:34:56:ab:cd:ef up", "wlan0 [address] up"),
        ("peer 192.168.1.23:30431 refused", "peer [address]:30431 refused"),
        ("peer fe80::1a2b:3c4d refused, ::1 too", "peer [address] refused, [address] too"),
        ("2001:db8:0:1:2:3:4:5", "[address]"),
        ("peer:192.168.1.5, 10.0.0.1-10.0.0.9", "peer:[address], [address]-[address]"),
        ("eth0:12:34:56:ab:cd:ef bt-12:34:56:ab:cd:ef", "eth0:[address] bt-[address]"),
        ("dev_12_34_56_AB_CD_EF/service", "dev_[address]/service"),
        ("id:0123456789abcdef0123456789abcdef", "id:[id]"),
        ("uuid:01234567-89ab-cdef-0123-456789abcdef.", "uuid:[id]."),
        ("JANE jane.doe jane@janes-tablet", "[user] [user].doe [user]@[host]"),
    ])
    func `private text is redacted`(text: String, expected: String) {
        #expect(redact(text) == expected)
    }

    @Test(arguments: [
        "at 12:34:56 the daemon started", "kernel 6.12.0-1-amd64", "version 0.9.0", "-1, 0, 0; 0, -1, 0; 0, 0, -1",
        "janette and janeway are others", "acpi:KIOX010A:KIOX010A:", "user orientationd, user root",
        "kxcjk1013-dev0", "Default string", "None", "0", "2026-11-21T20:00:00+0000", "127.0.0.1", "iio:device0", "",
        "c254:0", "le:s12/16>>4", "dead beef", "::", "kernel: 1.2.3", "[  12.345678] deadbeefs",
        "dmi:bvnLENOVO:bvr3.2.1:bd01/02/2020:svnLENOVO:pnYoga300:", "Grüße an janeß",
    ])
    func `other text is unchanged`(text: String) {
        #expect(redact(text) == text)
    }

    @Test func `a known word is redacted between all separators`() {
        let secrets = ["janes-tablet", "jane", "5CD0123XYZ", "Jane Doe"]
        let separators = [" ", ",", "/", "\"", "'", "=", ":", "@", "(", "[", "\t", "-", ".", "_"]
        for secret in secrets {
            for before in separators {
                for after in separators {
                    let redacted = redact("x\(before)\(secret)\(after)y")
                    #expect(!redacted.lowercased().contains(secret.lowercased()), "'\(before)' and '\(after)'")
                }
            }
            #expect(!redact(secret).contains(secret))
        }
    }

    @Test func `redaction is idempotent and keeps lines`() {
        let text = "jane\n\n/home/jane/x janes-tablet\n"
        let once = redact(text)
        #expect(redact(once) == once)
        #expect(once == "[user]\n\n[home]/x [host]\n")
    }

    @Test func `a common name is kept`() {
        var words = Redaction.Words()
        words.hosts = ["debian"]
        words.users = ["user"]
        let text = "system: Debian GNU/Linux, for the user orientationd"
        #expect(Redaction(words)(text) == text)
    }

    @Test func `without known words private forms are redacted`() {
        #expect(Redaction(Redaction.Words())("of /home/jane at 10.1.2.3") == "of [home] at [address]")
    }
}
