// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import OrientationModel
import Testing

/// What is found about the service, the daemon, and what it is told.
@Suite struct ServiceFindingTests {
    private let good = MachineFacts.good

    private func units(socket: [String: String] = [:], service: [String: String] = [:]) -> MachineFacts {
        good.but { $0.service = ServiceFacts(systemctl: MachineFacts.units(socket: socket, service: service)) }
    }

    @Test(arguments: [
        (["LoadState": "masked"], "orientationd.service is masked", "sudo systemctl unmask orientationd.service"),
        (
            ["LoadState": "bad-setting"], "systemd cannot use orientationd.service: bad-setting",
            "systemd-analyze verify orientationd.service"
        ),
        (
            ["ActiveState": "failed", "Result": "watchdog"], "orientationd.service has failed (watchdog)",
            "journalctl -b -u orientationd.service; sudo systemctl reset-failed orientationd.service && sudo systemctl restart orientationd.service"
        ),
    ])
    func `a unit that cannot run is a problem`(properties: [String: String], seen: String, mend: String) {
        let finding = units(service: properties).trouble("service")
        #expect(finding?.level == .problem)
        #expect(finding?.seen == seen)
        #expect(finding?.mend == mend)
        #expect(units(socket: properties).trouble("service")?.level == .problem)
    }

    @Test func `a service that waits for its first client is in order, one that was started anew is a note`() {
        #expect(units(service: ["ActiveState": "inactive", "SubState": "dead"]).troubles() == [])
        #expect(units(service: ["NRestarts": "3"]).trouble("service")?.seen.contains("3 times") == true)
    }

    @Test func `a socket that does not listen is a problem where nobody answers`() {
        let off = units(socket: ["ActiveState": "inactive"])
        #expect(off.trouble("service")?.level == .note)
        #expect(off.withoutDaemon.trouble("service")?.level == .problem)
        #expect(off.withoutDaemon.trouble("service")?.mend == "sudo systemctl enable --now orientationd.socket")
        #expect(units(socket: ["UnitFileState": "disabled"]).trouble("service")?.level == .note)
    }

    @Test func `units that are not installed are a problem where nobody answers`() {
        let without = good.but { $0.service = ServiceFacts(systemctl: "Id=orientationd.socket\nLoadState=not-found\n") }
        #expect(without.trouble("service")?.level == .note)
        #expect(without.withoutDaemon.trouble("service")?.level == .problem)
    }

    @Test func `without systemd the service is not looked at, and that is said`() {
        let finding = good.but { $0.service.failure = "not booted with systemd" }.trouble("service")
        #expect(finding?.level == .note)
        #expect(finding?.seen.contains("not booted with systemd") == true)
    }

    @Test func `nobody at the socket is told from no socket, and each has its mend`() {
        #expect(good.withoutDaemon.trouble("socket")?.seen.contains("no daemon answers: Connection refused") == true)
        #expect(good.withoutDaemon.trouble("socket")?.mend?.contains("enable --now orientationd.socket") == true)
        let away = good.withoutDaemon.but { $0.daemon.isSocketThere = false }
        #expect(away.trouble("socket")?.seen == "there is no socket at /run/orientationd/orientationd.sock")
        let own = away.but { $0.daemon.socket = "/run/user/1000/orientationd.sock" }
        #expect(own.trouble("socket")?.mend == "orientationd")
    }

    @Test(arguments: ["0.9", nil])
    func `a daemon of another version is a problem`(version: String?) {
        let finding = good.but { $0.daemon.version = version }.trouble("socket")
        #expect(finding?.level == .problem)
        #expect(finding?.seen.contains("this tool is 1.0") == true)
    }

    @Test func `what the daemon says of its sensor is passed on`() {
        let warned = good.but { $0.daemon.sensors[0].warnings = ["not captured: permission denied"] }
        #expect(warned.trouble("sensor")?.seen == "the daemon says of iio:device0: not captured: permission denied")
        let failed = good.but {
            $0.daemon.sensors[0].lastError = "it fell silent"
            $0.daemon.status = nil
        }
        #expect(failed.trouble("sensor")?.seen == "iio:device0 has failed before: it fell silent")
        let none = good.but { $0.daemon.sensors[0].isChosen = false }
        #expect(none.trouble("sensor")?.level == .problem)
        #expect(none.trouble("sensor")?.mend == "orientationctl sensors")
        let unknown = good.but {
            $0.daemon.state?.orientation = .unknown
            $0.daemon.state?.reason = "the sensor has gone"
        }
        #expect(unknown.trouble("sensor")?.seen.contains("the sensor has gone") == true)
    }

    @Test func `a closed lock says that the screen does not turn because of it`() {
        let locked = good.but {
            $0.daemon.state?.isLocked = true
            $0.daemon.state?.lockedTo = .portrait
        }
        let finding = locked.trouble("lock")
        #expect(finding?.seen == "the rotation lock is closed at portrait")
        #expect(finding?.meaning == "Your screen does not turn because it is locked")
        #expect(finding?.mend == "orientationctl unlock")
        // A lock is somebody's wish.
        #expect(Examination(locked).count(.problem) == 0)
    }

    @Test func `laptop mode is a note, and so is a switch that the daemon does not read`() {
        #expect(good.but { $0.daemon.state?.tabletMode = false }.trouble("tabletMode")?.level == .note)
        #expect(good.but { $0.daemon.state?.tabletMode = true }.troubles() == [])
        let unread = good.but { $0.tabletSwitches = [.init(node: "event5", name: "Hinge")] }
        #expect(unread.trouble("tabletMode")?.mend?.contains("subsystem-match=input") == true)
        let keys = good.but { $0.tabletSwitches = [.init(node: "event5", name: "Hinge", hasKeys: true)] }
        #expect(keys.trouble("tabletMode")?.mend == nil)
    }

    @Test func `a tuned classifier is told with what differs, from the unit, the process and udev`() {
        let command = "{ path=/x ; argv[]=/usr/sbin/orientationd --classifier quick ; ignore_errors=no }"
        let byUnit = units(service: ["ExecStart": command]).trouble("classifier")
        #expect(byUnit?.seen == "the classifier is quick, by the option --classifier")
        #expect(byUnit?.meaning?.contains("edgeMargin is 7, not 11") == true)
        let process = ProcessFacts.Process(
            identifier: 1, name: "orientationd", arguments: ["orientationd", "--classifier=standard,dwell=0.3"])
        #expect(
            good.but { $0.processes.processes = [process] }.trouble("classifier")?.meaning?.hasPrefix("dwell is 0.3")
                == true)
        let byUdev = good.butDevice { $0.set("ORIENTATIOND_CLASSIFIER", "calm") }.trouble("classifier")
        #expect(byUdev?.seen == "the classifier is calm, by udev for iio:device0 (kxcjk1013)")
        #expect(good.butDevice { $0.set("ORIENTATIOND_CLASSIFIER", "standard") }.troubles() == [])
    }

    @Test func `a daemon that listens elsewhere is another, whatever it was told`() {
        let other = ProcessFacts.Process(
            identifier: 1, name: "orientationd",
            arguments: ["orientationd", "--socket", "/run/other/socket", "--classifier", "quick"])
        let beside = good.but { $0.processes.processes = [other] }
        #expect(beside.trouble("classifier") == nil)
        #expect(beside.but { $0.daemon.socket = "/run/other/socket" }.trouble("classifier") != nil)
    }

    @Test func `failures and warnings of the log are notes that quote the newest`() {
        let failed = good.but { $0.daemon.status?.failures = ["one", "the sensor has gone"] }
        #expect(failed.trouble("errors")?.seen == "the daemon has met 2 failures, at last: the sensor has gone")
        #expect(good.but { $0.journal.warnings = ["a", "b"] }.trouble("errors")?.seen.hasSuffix("at last: b") == true)
    }

    @Test func `what could not be looked at is said, with root as the mend`() {
        let ordinary = good.but {
            $0.caller = Account(name: "someone", user: 1000, groups: [1000])
            $0.processes.isComplete = false
            $0.daemon.status = nil
            $0.journal.failure = "no permission"
        }
        let finding = ordinary.trouble("coverage")
        #expect(finding?.mend == "sudo orientationctl doctor")
        #expect(finding?.seen.contains("which program captures from a sensor, the daemon's status") == true)
    }
}
