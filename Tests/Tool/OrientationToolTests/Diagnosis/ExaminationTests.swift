// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationClientCore
import OrientationModel
import Testing

@testable import OrientationTool

@Suite struct ExaminationTests {
    @Test func `a good machine has only findings of level ok, from every applicable check`() {
        let examination = Examination(.good)
        #expect(examination.findings.filter { $0.level != .ok } == [])
        let silent: Set = [
            "sensorCore", "drivers", "properties", "tabletMode", "lid", "display", "coverage", "unread", "ambient",
        ]
        #expect(Set(examination.findings.map(\.check)) == Set(Examination.checks.map(\.name)).subtracting(silent))
    }

    @Test func `each check has a unique name, and its findings have it`() {
        #expect(Set(Examination.checks.map(\.name)).count == Examination.checks.count)
        for check in Examination.checks {
            for finding in check.findings(.good) { #expect(finding.check == check.name) }
        }
    }

    @Test func `a machine without facts has problems`() {
        var facts = MachineFacts()
        facts.daemonAccount = nil
        facts.daemon.failure = .notConnected(reason: "nothing is there")
        let examination = Examination(facts)
        #expect(examination.count(.problem) > 0)
        #expect(examination.findings.allSatisfy { !$0.summary.isEmpty })
    }

    @Test func `a system test runs each kind of fix`() throws {
        let root = URL(filePath: #filePath).pathComponents.prefix { $0 != "Tests" }.dropFirst().joined(separator: "/")
        let tables = try ["VirtualMachine/guest/tests/remedies.py", "Screen/remedies.py"].map {
            try String(contentsOfFile: "/\(root)/Tests/System/\($0)", encoding: .utf8)
        }.joined()
        for kind in Fix.Kind.allCases {
            let rows = ["@remedy(\"\(kind.rawValue)\"", "\"remedy \(kind.rawValue): "]
            #expect(rows.contains(where: tables.contains), "\(kind) has no row")
        }
    }

    @Test func `each problem and note has a detail`() {
        var facts = MachineFacts.good.withoutDaemon
        facts.accelerometers = []
        facts.udev = UdevFacts()
        facts.kernel = KernelFacts()
        for finding in facts.faults() {
            #expect(finding.detail?.isEmpty == false)
            // The printing code adds the full stops.
            #expect(!finding.summary.hasSuffix("."))
            #expect(finding.detail?.hasSuffix(".") == false)
        }
    }

    @Test(arguments: ["fake:natural=portrait", "replay:walk.csv"])
    func `a daemon with another source turns missing sensors into notes`(source: String) {
        let facts = MachineFacts.good.with {
            $0.accelerometers = []
            $0.kernel.hasBus = false
            $0.daemon.status = .init(source: source)
        }
        #expect(facts.faults().allSatisfy { $0.level == .note })
        #expect(facts.fault("sensor")?.summary == "the daemon reads \(source)")
    }
}
