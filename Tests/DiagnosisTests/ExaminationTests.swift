// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import OrientationModel
import Testing

@Suite struct ExaminationTests {
    @Test func `a good machine has nothing but things in order, and every check that applies says so`() {
        let examination = Examination(.good)
        #expect(examination.findings.filter { $0.level != .ok } == [])
        let silent: Set = ["drivers", "properties", "tabletMode", "coverage"]
        #expect(Set(examination.findings.map(\.check)) == Set(Examination.checks.map(\.name)).subtracting(silent))
    }

    @Test func `each check has a name of its own, and its findings carry it`() {
        #expect(Set(Examination.checks.map(\.name)).count == Examination.checks.count)
        for check in Examination.checks {
            for finding in check.findings(.good) { #expect(finding.check == check.name) }
        }
    }

    @Test func `a machine of which nothing is known is examined without a crash, and has problems`() {
        var facts = MachineFacts()
        facts.daemonAccount = nil
        facts.daemon.failure = "nothing is there"
        let examination = Examination(facts)
        #expect(examination.count(.problem) > 0)
        #expect(examination.findings.allSatisfy { !$0.seen.isEmpty })
    }

    @Test func `what is not in order says what it means`() {
        var facts = MachineFacts.good.withoutDaemon
        facts.accelerometers = []
        facts.udev = UdevFacts()
        facts.kernel = KernelFacts()
        for finding in facts.troubles() {
            #expect(finding.meaning?.isEmpty == false)
            // Whoever prints them ends each sentence.
            #expect(!finding.seen.hasSuffix("."))
            #expect(finding.meaning?.hasSuffix(".") == false)
        }
    }

    @Test(arguments: ["fake:turning", "iio:ip:192.0.2.7", "replay:walk.csv"])
    func `a daemon that reads something else makes a machine without sensors no problem`(source: String) {
        let facts = MachineFacts.good.but {
            $0.accelerometers = []
            $0.kernel.hasBus = false
            $0.daemon.status = .init(source: source)
        }
        #expect(facts.troubles().allSatisfy { $0.level == .note })
        #expect(facts.trouble("sensor")?.seen == "the daemon reads \(source)")
    }
}
