// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationTool

/// The text of findings and reports.
@Suite struct ReportTextTests {
    private let locked = MachineFacts.good.with {
        $0.daemon.state?.isLocked = true
        $0.accelerometers[0].set("ACCEL_MOUNT_MATRIX", "2,0,0;0,1,0;0,0,1")
    }

    @Test func `problems and notes are printed, and the rest is counted`() {
        let text = Examination(locked).text(all: false, width: 80)
        #expect(
            text.hasPrefix(
                """
                problem  The mount matrix of iio:device0 (kxcjk1013) from udev
                         ACCEL_MOUNT_MATRIX, 2, 0, 0; 0, 1, 0; 0, 0, 1, is not a rotation: its
                         first two rows are not perpendicular and of length 1.
                         The orientation is wrong in some or all positions.
                         > sudo orientationctl calibrate --write

                note     The rotation lock is on.
                """))
        #expect(
            text.hasSuffix(
                "\n\n1 problem, 1 note, \(Examination(locked).count(.ok)) checks passed (--all shows them)."))
        #expect(!text.contains("ok   "))
    }

    @Test func `with all, findings of level ok are printed too`() {
        let text = Examination(.good).text(all: true, width: 80)
        #expect(text.contains("ok       The daemon replies at /run/orientationd/orientationd.sock, version 1.0."))
        #expect(text.contains("No problem was found, 0 notes, "))
        #expect(!text.contains("--all"))
    }

    @Test func `on a terminal levels have colours, in columns of the same width`() {
        let plain = Examination(locked).text(all: true, width: 80)
        let coloured = Examination(locked).text(all: true, width: 80, isColoured: true)
        #expect(coloured.contains("\u{1B}[33mnote\u{1B}[m     The rotation lock is on"))
        let bare = ["\u{1B}[1;31m", "\u{1B}[33m", "\u{1B}[32m", "\u{1B}[m"].reduce(coloured) {
            $0.replacing($1, with: "")
        }
        #expect(bare == plain)
    }

    @Test(arguments: [20, 40, 72, 100])
    func `no line exceeds the width, except commands and long words`(width: Int) {
        let lines = Examination(locked.withoutDaemon).text(all: true, width: width).split(separator: "\n")
        for line in lines where line.count > max(width, 29) {
            let text = line.dropFirst(9).drop { $0 == " " }
            #expect(
                text.hasPrefix(">") || !text.contains(" ") || line.hasPrefix("No problem")
                    || line.contains("checks passed"))
        }
    }

    @Test func `a report redacts its sections, keeps the recording, and marks empty sections`() {
        var words = Redaction.Words()
        words.users = ["jane"]
        var report = ReportText(redaction: Redaction(words))
        report.add(.init("Log", ["opened by jane", "closed"]))
        report.add(.init("Nothing", []))
        report.add(recording: "# recording\n0,1,2,3\n")
        let text = report.description
        #expect(text.contains("\n== Log ==\nopened by [user]\nclosed\n"))
        #expect(text.contains("\n== Nothing ==\nnone\n"))
        #expect(text.hasSuffix("replay:FILE) ==\n# recording\n0,1,2,3\n"))
    }

    @Test func `a long section keeps its last lines`() {
        var report = ReportText(redaction: Redaction(.init()))
        report.add(.init("Log", (0..<3_000).map { "line \($0)" }))
        #expect(!report.description.contains("line 999\n"))
        #expect(report.description.contains("line 1000\n"))
        #expect(report.description.contains("line 2999\n"))
    }

    @Test func `the report contains all facts of a device`() {
        let facts = MachineFacts.good.with {
            $0.processes.processes = [.init(identifier: 5, name: "cat", program: "cat", nodes: ["iio:device0"])]
        }
        let lines = facts.sections.flatMap { ["== \($0.title)"] + $0.lines }
        for expected in [
            "== Accelerometer iio:device0", "driver: kxcjk1013, module kxcjk_1013",
            "udev ACCEL_MOUNT_MATRIX=-1,0,0;0,-1,0;0,0,-1",
            "in_accel_scale (mode 0644, root:root): 0.009582", "read: 1, 1024, 2", "cat: open iio:device0",
            "node: mode 0660, root:orientationd", "release: 6.12.1",
        ] {
            #expect(lines.contains(expected), "\(expected)")
        }
        #expect(lines.contains { $0.hasPrefix("Id=orientationd.service LoadState=loaded") })
    }
}
