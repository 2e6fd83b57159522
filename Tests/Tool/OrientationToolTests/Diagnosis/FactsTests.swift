// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationTool

/// Parsing of the output of other programs.
@Suite struct FactsTests {
    @Test func `udev's entry takes precedence over the kernel's, and invalid lines are ignored`() {
        let record = UdevRecord(
            uevent: "DEVTYPE=iio_device\nACCEL_LOCATION=base\n\ngarbage\n",
            database:
                "S:link\nI:77\nE:ACCEL_LOCATION=lid\nE:broken\nE:EMPTY=\nE:A=b=c\nG:orientationd\nQ:systemd\nV:1\n")
        #expect(record.properties == ["DEVTYPE": "iio_device", "ACCEL_LOCATION": "lid", "EMPTY": "", "A": "b=c"])
        #expect(record.tags == ["orientationd", "systemd"])
        #expect(record.isProcessed)
        #expect(!UdevRecord(uevent: "A=b").isProcessed)
    }

    @Test func `the tables of depmod give the module for an accelerometer's modalias`() {
        let table = DriverTable(
            dependencies: """
                kernel/drivers/iio/accel/kxcjk-1013.ko.xz: kernel/drivers/iio/industrialio.ko.xz
                kernel/drivers/iio/imu/bmi160/bmi160_i2c.ko:
                kernel/drivers/hid/hid-sensor-hub.ko.zst:
                kernel/drivers/iio/light/ltr501.ko:
                kernel/drivers/hid/hid-generic.ko:
                """,
            aliases: """
                # Aliases extracted from modules themselves.
                alias acpi*:KIOX010A:* kxcjk_1013
                alias i2c:bmi160 bmi160_i2c
                alias hid:b*g0002v*p* hid_sensor_hub
                alias acpi*:LTER0501:* ltr501
                alias hid:b*g*v*p* hid_generic
                alias broken
                """)
        #expect(table.modules(for: "acpi:KIOX010A:KIOX010A:") == ["kxcjk_1013"])
        #expect(table.modules(for: "i2c:bmi160") == ["bmi160_i2c"])
        #expect(table.modules(for: "hid:b0018g0002v00000ABCp00001234") == ["hid_sensor_hub"])
        #expect(table.modules(for: "acpi:LTER0501:") == [])
        #expect(table.modules(for: "") == [])
    }

    @Test func `units are parsed from the output of systemctl show`() throws {
        let facts = ServiceFacts(
            systemctl: """
                Id=orientationd.socket
                LoadState=not-found

                Id=orientationd.service
                LoadState=loaded
                ExecStart={ path=/usr/sbin/orientationd ; argv[]=/usr/sbin/orientationd --sensor fake: ; pid=7 }
                """)
        #expect(facts.unit("orientationd.socket") == nil)
        let service = try #require(facts.unit("orientationd.service"))
        #expect(service[.load] == "loaded")
        #expect(service[.result] == "")
        #expect(ServiceFacts(systemctl: "").units == [])
        #expect(ServiceFacts(systemctl: "garbage\n\nId=x").unit("x")?[.active] == "")
    }

    @Test func `an account has its groups, and permissions follow the kernel's rule`() throws {
        let accounts = AccountDatabase(
            passwd:
                "root:x:0:0:root:/root:/bin/sh\njane:x:1000:1000:Jane Doe,,,:/home/jane:/bin/sh\nbroken\na:b:c:d:e:f\n",
            group: "root:x:0:\njane:x:1000:\norientationd:x:990:bob,jane\nbroken\n")
        let jane = try #require(accounts.account("jane"))
        #expect(jane.groups == [1000, 990])
        #expect(accounts.account("bob") == nil)
        #expect(accounts.users.map(\.name) == ["root", "jane"])
        #expect(jane.mayRead(FileAccess(mode: 0o040, user: 0, group: 990)))
        #expect(!jane.mayRead(FileAccess(mode: 0o604, user: 0, group: 990)))
        // The owner's class decides, even if another class has more permissions.
        #expect(!jane.mayWrite(FileAccess(mode: 0o466, user: 1000, group: 990)))
        #expect(jane.mayRead(FileAccess(mode: 0o004, user: 0, group: 0)))
        #expect(Account(name: "root", user: 0, groups: []).mayWrite(FileAccess(mode: 0, user: 1, group: 1)))
    }
}
