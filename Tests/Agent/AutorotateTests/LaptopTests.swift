// SPDX-License-Identifier: Apache-2.0

import Displays
import OrientationModel
import OrientationRules
import Testing

@testable import Autorotate

/// The agent on laptops without a tablet switch.
@Suite struct LaptopTests {
    private var bench = PolicyBench.started()

    /// A chassis of this type, with these keyboards.
    private func chassis(_ type: Int = 10, _ keyboards: String...) -> Chassis? {
        Chassis { path in
            path.hasSuffix("chassis_type")
                ? "\(type)" : keyboards.first { path == "/sys/class/input/\($0)/device/name" }
        } nodes: {
            keyboards.map { ($0, "/devices/platform", false) }
        }
    }

    @Test
    mutating func `a clamshell with an accelerometer in its lid does not rotate, and says so once with the way out`() {
        bench.handle(.chassis(chassis(10, "AT keyboard")))
        bench.turn(.unknown)
        #expect(bench.reports == [], "the daemon may not have found the tablet switch yet")
        bench.turn(.portrait)
        let reason =
            "notebook (DMI chassis type 10) with the keyboard 'AT keyboard' attached, without a tablet switch or a lid angle"
        #expect(bench.applied == nil && bench.reports == [.laptop("eDP-1", reason)])
        #expect(bench.reports.first?.text.contains("--when always") == true)
        #expect(bench.sentence.hasPrefix("\(PolicyBench.notInTabletMode): \(reason); --when always"))
        bench.turn(.landscapeRight)
        #expect(bench.effects == [])
    }

    @Test
    func `a keyboard that is detached lets the display rotate, and one that is attached restores its rotation`() {
        var bench = PolicyBench.started()
        bench.handle(.chassis(chassis(32, "cover")))
        bench.turn(.portrait)
        bench.handle(.chassis(chassis(32)))
        #expect(bench.requested == .rotated90)
        bench.accept()
        bench.handle(.chassis(chassis(32, "cover")))
        #expect(bench.requested == .normal)
        bench.accept()
        bench.turn(.portraitUpsideDown)
        #expect(bench.applied == nil && !bench.reports.contains { $0.kind == .laptop })
    }

    @Test
    func `a keyboard that is attached while the daemon is not connected restores the rotation, and is no state`() {
        var bench = PolicyBench.started()
        bench.handle(.chassis(chassis(32)))
        bench.turnAndAccept(.portrait)
        bench.handle(.daemonLost(reason: "closed"))
        bench.handle(.chassis(chassis(32, "cover")))
        #expect(bench.requested == .normal && !bench.reports.contains(.daemonFound))
        #expect(bench.sentence.hasSuffix("; orientationd is not connected."))
    }

    @Test
    func `a tablet switch and --when always decide before the chassis; without a chassis for it, nothing does`() {
        var bench = PolicyBench.started()
        bench.handle(.chassis(chassis(31, "keyboard")))
        bench.turn(.portrait, tabletMode: true)
        #expect(bench.requested == .rotated90 && !bench.reports.contains { $0.kind == .laptop })
        var always = PolicyBench.started(Settings(when: .always))
        always.handle(.chassis(chassis(10, "keyboard")))
        always.turn(.portrait)
        #expect(always.requested == .rotated90)
        var tablet = PolicyBench.started()
        tablet.handle(.chassis(chassis(30, "keyboard")))
        tablet.turn(.portrait)
        #expect(tablet.requested == .rotated90)
    }

    @Test mutating func `a laptop whose lid angle is known follows it, whatever its chassis`() {
        bench.handle(.chassis(chassis(10, "AT keyboard")))
        bench.turn(.portrait, tabletMode: false, lidAngle: 110)
        #expect(bench.applied == nil && !bench.reports.contains { $0.kind == .laptop })
        #expect(
            bench.sentence
                == "\(PolicyBench.notInTabletMode): its lid is not folded back; --when always rotates it in every mode."
        )
        bench.turn(.portrait, tabletMode: false, lidAngle: 205)
        #expect(bench.sentence.contains("tablet mode: its lid is not folded back; --when always"))
        bench.turn(.portrait, tabletMode: false, lidAngle: 220)
        #expect(bench.sentence.contains("tablet mode: its keyboard is up; --when always"))
        bench.turn(.portrait, tabletMode: true, lidAngle: 300)
        #expect(bench.requested == .rotated90)
        bench.accept()
        bench.turn(.portrait, tabletMode: true, lidAngle: 305)
        #expect(bench.effects == [], "a step of the angle changes nothing")
        bench.turn(.portrait, tabletMode: nil)
        #expect(bench.requested == .normal, "without a lid angle the chassis decides")
    }

    @Test mutating func `a clamshell in its usual position is not reported before it is turned`() {
        bench.handle(.chassis(chassis(10, "AT keyboard")))
        bench.turn(.landscapeLeft)
        #expect(!bench.reports.contains { $0.kind == .laptop })
        bench.turn(.portrait)
        #expect(bench.reports.contains { $0.kind == .laptop })
    }

    @Test mutating func `a tablet switch that says laptop is explained with the way out`() {
        bench.turn(.portrait, tabletMode: false)
        #expect(bench.sentence == "\(PolicyBench.notInTabletMode); --when always rotates it in every mode.")
    }
}
