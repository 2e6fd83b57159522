// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Displays

@Suite struct OutputReporterTests {
    private func outputs(_ transform: OutputTransform, otherAt x: Int = 1920) -> [Output] {
        let mode = PixelSize(width: 1920, height: 1080)
        return [
            Output(name: "eDP-1", transform: transform, mode: mode),
            Output(name: "HDMI-A-1", mode: mode, position: LayoutPoint(x: x, y: 0)),
        ]
    }

    private func reporter() -> OutputReporter {
        var reporter = OutputReporter()
        _ = reporter.reported(outputs(.normal))
        _ = reporter.sent(outputs(.rotated90, otherAt: 1080))
        return reporter
    }

    @Test func `unchanged outputs are reported once`() {
        var reporter = OutputReporter()
        #expect(reporter.reported(outputs(.normal)) == [.deliver(.outputs(outputs(.normal)))])
        #expect(reporter.reported(outputs(.normal)).isEmpty)
    }

    @Test func `outputs that change after the acceptance come before applied`() {
        var reporter = reporter()
        let new = outputs(.rotated90, otherAt: 1080)
        #expect(reporter.accepted() == [.synchronize])
        #expect(reporter.reported(new) == [.deliver(.outputs(new)), .deliver(.applied)])
        #expect(reporter.synchronized().isEmpty)
    }

    @Test func `outputs that change before the acceptance come before applied`() {
        var reporter = reporter()
        let new = outputs(.rotated90, otherAt: 1080)
        #expect(reporter.reported(new) == [.deliver(.outputs(new))])
        #expect(reporter.accepted() == [.synchronize])
        #expect(reporter.synchronized() == [.deliver(.applied)])
    }

    @Test func `outputs that change one after the other are applied after the last`() {
        var reporter = reporter()
        _ = reporter.accepted()
        let half = outputs(.rotated90), new = outputs(.rotated90, otherAt: 1080)
        #expect(reporter.reported(half) == [.deliver(.outputs(half))])
        #expect(reporter.synchronized() == [.startTimer(OutputReporter.positionTimeout)])
        #expect(reporter.reported(new) == [.deliver(.outputs(new)), .stopTimer, .deliver(.applied)])
    }

    @Test func `a position that the compositor chose is applied after the timeout`() {
        var reporter = reporter()
        _ = reporter.accepted()
        _ = reporter.reported(outputs(.rotated90))
        _ = reporter.synchronized()
        #expect(reporter.timedOut("sway") == [.deliver(.applied)])
    }

    @Test func `a transform that never changes fails after the timeout`() {
        var reporter = reporter()
        _ = reporter.accepted()
        #expect(reporter.synchronized() == [.startTimer(OutputReporter.transformTimeout)])
        #expect(
            reporter.timedOut("sway") == [
                .deliver(.failed("sway accepted transform 90 of eDP-1, but reports normal"))
            ])
        #expect(reporter.timedOut("sway").isEmpty)
    }

    @Test func `a removed output does not fail its configuration`() {
        var reporter = reporter()
        _ = reporter.accepted()
        let rest = [outputs(.normal, otherAt: 1080)[1]]
        #expect(reporter.reported(rest) == [.deliver(.outputs(rest)), .deliver(.applied)])
    }

    @Test(arguments: [DisplayEvent.outdated, .failed("no")])
    func `a refusal is delivered once`(_ result: DisplayEvent) {
        var reporter = reporter()
        #expect(reporter.refused(result) == [.deliver(result)])
        #expect(reporter.refused(result).isEmpty)
        #expect(reporter.accepted().isEmpty)
    }
}
