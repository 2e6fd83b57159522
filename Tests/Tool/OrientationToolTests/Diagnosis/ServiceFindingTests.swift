// SPDX-License-Identifier: Apache-2.0

import OrientationClientCore
import OrientationModel
import OrientationWire
import Testing

@testable import OrientationTool

/// Findings about the service, the daemon and its settings.
@Suite struct ServiceFindingTests {
    private let good = MachineFacts.good

    private func units(socket: [String: String] = [:], service: [String: String] = [:]) -> MachineFacts {
        good.with { $0.service = ServiceFacts(systemctl: MachineFacts.units(socket: socket, service: service)) }
    }

    @Test(arguments: [
        (
            ["LoadState": "masked"], "orientationd.service is masked",
            "sudo systemctl unmask orientationd.service && sudo systemctl enable --now orientationd.socket" as String?
        ),
        (
            ["LoadState": "bad-setting"], "systemd cannot use orientationd.service: bad-setting",
            nil
        ),
        (
            ["ActiveState": "failed", "Result": "watchdog"], "orientationd.service has failed (watchdog)",
            "sudo systemctl reset-failed orientationd.socket orientationd.service && sudo systemctl restart orientationd.socket orientationd.service"
        ),
    ])
    func `a unit that cannot run is a problem`(properties: [String: String], summary: String, fix: String?) {
        let finding = units(service: properties).fault("service")
        #expect(finding?.level == .problem)
        #expect(finding?.summary == summary)
        #expect(finding?.fix?.command == fix)
        #expect(units(socket: properties).fault("service")?.level == .problem)
    }

    @Test func `an inactive service is ok, and a restarted one a note`() {
        #expect(units(service: ["ActiveState": "inactive", "SubState": "dead"]).faults() == [])
        #expect(units(service: ["NRestarts": "3"]).fault("service")?.summary.contains("3 times") == true)
    }

    @Test func `an inactive socket unit is a problem if the daemon does not reply`() {
        let off = units(socket: ["ActiveState": "inactive"])
        #expect(off.fault("service")?.level == .note)
        #expect(off.withoutDaemon.fault("service")?.level == .problem)
        #expect(off.withoutDaemon.fault("service")?.fix?.command == "sudo systemctl enable --now orientationd.socket")
        #expect(units(socket: ["UnitFileState": "disabled"]).fault("service")?.level == .note)
    }

    @Test func `missing units are a problem if the daemon does not reply`() {
        let without = good.with {
            $0.service = ServiceFacts(systemctl: "Id=orientationd.socket\nLoadState=not-found\n")
        }
        #expect(without.fault("service")?.level == .note)
        #expect(without.withoutDaemon.fault("service")?.level == .problem)
    }

    @Test func `without systemd the service check is a note`() {
        let finding = good.with { $0.service.failure = "not booted with systemd" }.fault("service")
        #expect(finding?.level == .note)
        #expect(finding?.summary.contains("not booted with systemd") == true)
    }

    @Test func `a daemon that does not reply is fixed by a restart`() {
        let hanging = good.withoutDaemon.with { $0.daemon.failure = .timedOut(after: .seconds(5)) }
        #expect(hanging.fault("socket")?.fix == .restart)
        let own = hanging.with {
            $0.daemon.socket = "/run/user/1000/orientationd.sock"
            $0.processes.processes = [.init(identifier: 7, name: "orientationd", program: "orientationd")]
        }
        #expect(
            own.fault("socket")?.fix == nil
                && own.fault("socket")?.detail?.contains("restart that orientationd") == true)
        let byHand = own.with {
            $0.service = ServiceFacts(systemctl: "Id=orientationd.socket\nLoadState=not-found\n")
        }
        #expect(byHand.fault("service")?.level == .note)
    }

    @Test(arguments: [
        (InitSystem.openrc, "sudo rc-service orientationd restart" as String?),
        (.runit, "sudo sv restart orientationd"), (.unknown, nil),
    ])
    func `without systemd a daemon is restarted as its init system does, and no fix is one of systemd`(
        system: InitSystem, fix: String?
    ) {
        let broken = good.withoutDaemon.with {
            $0.initSystem = system
            $0.service = ServiceFacts()
            $0.service.failure = "System has not been booted with systemd"
            $0.udev.isRunning = false
            $0.warnings = ["late"]
        }
        #expect(broken.with { $0.daemon.failure = .timedOut(after: .seconds(5)) }.fault("socket")?.fix?.command == fix)
        #expect(broken.fault("socket")?.fix?.command == fix)
        let absent = broken.with { $0.daemon.obstacle = .absent }.fault("socket")
        #expect(fix != nil || absent?.detail?.contains("start 'sudo orientationd'") == true)
        for finding in broken.faults() {
            #expect(finding.fix?.command.contains("systemctl") != true)
        }
    }

    @Test func `a refused connection and a missing socket have different fixes`() {
        #expect(
            good.withoutDaemon.fault("socket")?.summary.contains("orientationd.sock: cannot connect: no") == true)
        #expect(good.withoutDaemon.fault("socket")?.fix == .restart)
        let away = good.withoutDaemon.with { $0.daemon.obstacle = .absent }
        #expect(away.fault("socket")?.summary == "there is no socket at /run/orientationd/orientationd.sock")
        let own = away.with { $0.daemon.socket = "/run/user/1000/orientationd.sock" }
        #expect(own.fault("socket")?.fix == nil)
    }

    @Test(arguments: [
        (
            OrientationServiceError.notConnected(reason: "/tmp/o: cannot connect: x"),
            SocketObstacle.notSocket as SocketObstacle?,
            "/tmp/o: cannot connect: x", "it is not a socket: check --socket and ORIENTATIOND_SOCKET"
        ),
        (
            .notConnected(reason: "/tmp/o: cannot connect: x"), .denied("/tmp"), "/tmp/o: cannot connect: x",
            "this user may not use /tmp: "
        ),
        (
            .notConnected(reason: "/tmp/o: cannot connect: x"), .refused, "/tmp/o: cannot connect: x",
            "start 'orientationd --socket /tmp/o'"
        ),
        (
            .notConnected(reason: "x"), .noFolder("/tmp"), "there is no socket at /tmp/o",
            "run 'mkdir -p /tmp && orientationd --socket /tmp/o'"
        ),
        (.notConnected(reason: "connection lost: x"), nil, "the daemon at /tmp/o: connection lost: x", ""),
        (
            .limitReached(limit: "connections", maximum: 256), nil,
            "the daemon at /tmp/o: limit reached: at most 256 connections", "end other programs that use it"
        ),
        (.unusablePath(reason: "invalid"), .absent, "invalid", "check --socket"),
        (.notUnderstood(reason: "x"), nil, "the daemon at /tmp/o: invalid reply: x", "it may be another program"),
        (.untrusted(reason: "runs as user 7; leave"), nil, "the daemon at /tmp/o: runs as user 7; leave", ""),
    ])
    func `each failure of a connection has a verdict and a remedy of its own`(
        failure: OrientationServiceError, obstacle: SocketObstacle?, summary: String, remedy: String
    ) {
        let finding = good.withoutDaemon.with {
            ($0.daemon.socket, $0.daemon.failure, $0.daemon.obstacle) = ("/tmp/o", failure, obstacle)
        }.fault("socket")
        #expect(finding?.summary == summary && finding?.level == .problem && finding?.fix == nil)
        #expect(finding?.detail?.hasPrefix("Apps have no orientation") == true)
        #expect(remedy.isEmpty || finding?.detail?.contains(remedy) == true, "\(finding?.detail ?? "")")
    }

    @Test func `a masked socket has one remedy, in each finding and in the messages of other commands`() {
        let masked = units(socket: ["LoadState": "masked", "ActiveState": "inactive"]).withoutDaemon
        let fix = Fix.reach(masked.service, .systemd)
        #expect(fix?.command.hasPrefix("sudo systemctl unmask orientationd.socket && ") == true)
        #expect(masked.fault("service")?.fix == fix && masked.fault("socket")?.fix == fix)
        let runtime = units(socket: ["LoadState": "masked", "UnitFileState": "masked-runtime"])
        #expect(Fix.reach(runtime.service, .systemd)?.command.contains("unmask --runtime orientationd.socket") == true)
        #expect(Fix.reach(masked.service, .unknown) == nil)
    }

    @Test func `a socket that not every user can use is a problem, also for root`() {
        let shut = good.with { $0.daemon.socketAccess = FileAccess(mode: 0o600, user: 0, group: 0) }
        for facts in [shut, shut.withoutDaemon] {
            let finding = facts.fault("socket")
            #expect(
                finding?.summary == "not every user can use /run/orientationd/orientationd.sock: mode 0600, root:root")
            #expect(finding?.level == .problem && finding?.fix == .restart)
        }
        let dropIn = "/etc/systemd/system/orientationd.socket.d/override.conf"
        let set = units(socket: ["SocketMode": "0600", "DropInPaths": dropIn]).with {
            $0.daemon.socketAccess = shut.daemon.socketAccess
        }
        #expect(set.fault("socket")?.fix == .setSocketMode && set.fault("socket")?.detail?.contains(dropIn) == true)
        #expect(good.with { $0.daemon.socketAccess = FileAccess(mode: 0o666, user: 0, group: 0) }.faults() == [])
    }

    @Test func `the verdict on a simulated device is the same for a caller without the status`() {
        let simulated = good.with {
            $0.accelerometers = []
            $0.daemon.sensors = [SensorDescription(id: "fake:", name: "simulated", isChosen: true)]
            $0.daemon.status = .init(source: "fake:")
        }
        #expect(Examination(simulated).count(.problem) == 0)
        #expect(Examination(simulated.with { $0.daemon.status = nil }).count(.problem) == 0)
    }

    @Test(arguments: ["0.9", nil])
    func `a daemon of another version is a problem`(version: String?) {
        let finding = good.with { $0.daemon.version = version }.fault("socket")
        #expect(finding?.level == .problem)
        #expect(finding?.summary.contains("this tool is 1.0") == true)
    }

    @Test func `warnings and errors of the sensor are reported`() {
        let warned = good.with { $0.daemon.sensors[0].warnings = ["not captured: permission denied"] }
        #expect(warned.fault("sensor")?.summary == "warning for iio:device0: not captured: permission denied")
        let failed = good.with {
            $0.daemon.sensors[0].lastError = "it fell silent"
            $0.daemon.status = nil
        }
        #expect(failed.fault("sensor")?.summary == "last failure of iio:device0: it fell silent")
        let none = good.with { $0.daemon.sensors[0].isChosen = false }
        #expect(none.fault("sensor")?.level == .problem)
        #expect(none.fault("sensor")?.fix == nil)
        let unknown = good.with {
            $0.daemon.state?.orientation = .unknown
            $0.daemon.state?.reason = "the sensor was disconnected"
        }
        #expect(unknown.fault("sensor")?.summary.contains("the sensor was disconnected") == true)
    }

    @Test func `an active rotation lock is a note`() {
        let locked = good.with {
            $0.daemon.state?.isLocked = true
            $0.daemon.state?.lockedTo = .portrait
        }
        let finding = locked.fault("lock")
        #expect(finding?.summary == "the rotation lock is on (top edge up)")
        #expect(finding?.detail == "The display does not rotate while it is locked")
        let desktop = locked.with { $0.display = SessionDisplay.withoutProgram(desktops: "Phosh:GNOME") }
        #expect(
            desktop.fault("lock")?.detail
                == "Phosh has a rotation lock of its own: this one does not change what it shows")
        #expect(finding?.fix?.command == "orientationctl unlock")
        // Set by the user: not a problem.
        #expect(Examination(locked).count(.problem) == 0)
    }

    @Test(arguments: [true, false])
    func `a notebook without a tablet switch is explained, with the keyboard and the way out`(hasKeyboard: Bool) {
        let facts = good.with { facts in
            facts.chassis = Chassis {
                $0.hasSuffix("chassis_type") ? "10" : "AT keyboard"
            } nodes: {
                hasKeyboard ? [("event3", "/devices/platform", false)] : []
            }
        }
        let finding = Examination(facts).findings.first { $0.check == "tabletMode" }
        #expect(finding?.level == (hasKeyboard ? .note : .ok))
        #expect(finding?.summary.hasPrefix("this is a notebook (DMI chassis type 10)") == true)
        #expect(finding?.summary.contains("'AT keyboard'") == hasKeyboard)
        #expect(finding?.detail?.contains(hasKeyboard ? "--when always" : "--when never") == true)
        #expect(facts.with { $0.daemon.state?.tabletMode = true }.faults() == [])
        // With the way out in force, nothing is left to do.
        let always = facts.with {
            $0.display = .listed(
                .init(
                    server: "sway", agent: 42, agentOptions: ["--output", "eDP-1", "--when", "always"], output: "eDP-1")
            )
        }
        #expect(always.faults() == [])
        #expect(always.with { $0.daemon.state?.tabletMode = false }.faults() == [])
    }

    @Test func `tablet mode off is a note, and so is an unread switch`() {
        let off = good.with { $0.daemon.state?.tabletMode = false }.fault("tabletMode")
        #expect(off?.level == .note && off?.detail?.contains("--when always") == true)
        #expect(off?.fix == nil)
        #expect(good.with { $0.daemon.state?.tabletMode = true }.faults() == [])
        let unread = good.with { $0.tabletSwitches = [("event5", InputAttributes(name: "Hinge", keys: "0"))] }
        #expect(unread.fault("tabletMode")?.fix?.command.contains("subsystem-match=input") == true)
        let keys = good.with { $0.tabletSwitches = [("event5", InputAttributes(name: "Hinge", keys: "f"))] }
        #expect(keys.fault("tabletMode")?.fix == nil)
        #expect(keys.fault("tabletMode")?.summary.hasSuffix(", which orientationd must not read") == true)
        #expect(keys.fault("tabletMode")?.detail?.contains("no setting changes that") == true)
    }

    @Test func `several tablet switches are named`() {
        let two = good.with {
            $0.tabletSwitches = [
                ("event5", InputAttributes(name: "Hinge", keys: "0")),
                ("event7", InputAttributes(name: "HID", keys: "0")),
            ]
            $0.daemon.state?.tabletMode = true
        }
        #expect(two.fault("tabletMode")?.summary == "there are 2 tablet switches: event5 (Hinge), event7 (HID)")
    }

    @Test func `changed classifier settings are listed with their source: unit, process or udev`() {
        let command = "{ path=/x ; argv[]=/usr/sbin/orientationd --classifier quick ; ignore_errors=no }"
        let byUnit = units(service: ["ExecStart": command]).fault("classifier")
        #expect(byUnit?.summary == "the classifier is quick, set by the option --classifier")
        #expect(byUnit?.detail?.contains("edgeMargin is 7, not 11") == true)
        let process = ProcessFacts.Process(
            identifier: 1, name: "orientationd", program: "orientationd",
            arguments: ["orientationd", "--classifier=standard,dwell=0.3"])
        #expect(
            good.with { $0.processes.processes = [process] }.fault("classifier")?.detail?.hasPrefix("dwell is 0.3")
                == true)
        let byUdev = good.withDevice { $0.set("ORIENTATIOND_CLASSIFIER", "calm") }.fault("classifier")
        #expect(byUdev?.summary == "the classifier is calm, set by udev for iio:device0 (kxcjk1013)")
        #expect(good.withDevice { $0.set("ORIENTATIOND_CLASSIFIER", "standard") }.faults() == [])
    }

    @Test func `the options of a daemon with another socket are ignored`() {
        let other = ProcessFacts.Process(
            identifier: 1, name: "orientationd", program: "orientationd",
            arguments: ["orientationd", "--socket", "/run/other/socket", "--classifier", "quick"])
        let beside = good.with { $0.processes.processes = [other] }
        #expect(beside.fault("classifier") == nil)
        #expect(beside.with { $0.daemon.socket = "/run/other/socket" }.fault("classifier") != nil)
        let service = ProcessFacts.Process(
            identifier: 2, name: "orientationd", program: "orientationd", isService: true,
            arguments: ["orientationd", "--classifier", "calm"])
        let own = good.with {
            $0.processes.processes = [service]
            $0.daemon.socket = "/tmp/own/socket"
        }
        #expect(own.fault("classifier") == nil)
        #expect(own.with { $0.daemon.socket = good.daemon.socket }.fault("classifier") != nil)
    }

    @Test func `the service's process comes before one that was started by hand`() {
        let byHand = ProcessFacts.Process(
            identifier: 1, name: "orientationd", program: "orientationd",
            arguments: ["orientationd", "--classifier", "quick"])
        var service = byHand
        (service.isService, service.arguments) = (true, ["orientationd", "--classifier", "calm"])
        let both = good.with { $0.processes.processes = [byHand, service] }
        #expect(both.fault("classifier")?.summary == "the classifier is calm, set by the option --classifier")
    }

    @Test func `failures and log warnings are notes that quote the last one`() {
        let failed = good.with { $0.daemon.status?.failures = ["one", "the sensor was disconnected"] }
        #expect(
            failed.fault("errors")?.summary == "last of 2 failures reported by the daemon: the sensor was disconnected")
        #expect(good.with { $0.warnings = ["a", "b"] }.fault("errors")?.summary.hasSuffix("log: b") == true)
    }

    @Test func `unchecked facts are listed, fixed by running as root`() {
        let ordinary = good.with {
            $0.caller = Account(name: "jane", user: 1000, groups: [1000])
            $0.processes.isComplete = false
            $0.daemon.status = nil
            $0.warnings = nil
        }
        let finding = ordinary.fault("coverage")
        #expect(finding?.fix?.command == "sudo orientationctl doctor")
        #expect(finding?.summary.contains("which program captures from a sensor, the daemon's status") == true)
    }
}
