// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Displays

@Suite("KWin's output management", .serialized, .timeLimit(.minutes(10))) struct KWinServerTests {
    private typealias Device = FakeKWin.Device

    private static let autoRotate: UInt32 = 0x20

    private func open(_ kwin: FakeKWin, outputs: Int = 2) throws -> DisplayBench {
        let bench = try DisplayBench(.kwin, environment: kwin.environment)
        try bench.run { bench.outputs.count == outputs }
        return bench
    }

    private func devices() -> [Device] {
        [Device(name: "eDP-1"), Device(name: "HDMI-A-1", position: [1280, 0])]
    }

    @Test(arguments: [true, false])
    func `devices that are globals and devices of the registry are the outputs`(_ hasRegistry: Bool) throws {
        let bench = try open(try FakeKWin(devices(), hasRegistry: hasRegistry))
        let mode = PixelSize(width: 1280, height: 800)
        #expect(
            bench.outputs == [
                Output(name: "eDP-1", label: "ACME", mode: mode),
                Output(name: "HDMI-A-1", label: "ACME", mode: mode, position: LayoutPoint(x: 1280, y: 0)),
            ])
    }

    @Test(arguments: [true, false])
    func `applied follows the last of the new outputs`(_ hasRegistry: Bool) throws {
        let bench = try open(try FakeKWin(devices(), hasRegistry: hasRegistry))
        let wanted = Layout.rotating("eDP-1", to: .rotated270, in: bench.outputs)
        #expect(try bench.apply(wanted) == .applied)
        #expect(bench.outputs == wanted)
    }

    @Test func `a refusal has KWin's reason`() throws {
        let kwin = try FakeKWin(devices(), hasRegistry: false)
        let bench = try open(kwin)
        kwin.refuse("too many outputs")
        let result = try bench.apply(Layout.rotating("eDP-1", to: .rotated270, in: bench.outputs))
        guard case .failed(let reason) = result else {
            return #expect(Bool(false), "\(String(describing: result))")
        }
        #expect(reason.hasSuffix("refused the configuration of its outputs: too many outputs"))
        kwin.refuse(nil)
        #expect(
            try bench.apply(Layout.rotating("eDP-1", to: .rotated270, in: bench.outputs)) == .applied)
    }

    @Test(arguments: [true, false])
    func `an output that is added and removed`(_ hasRegistry: Bool) throws {
        let kwin = try FakeKWin(devices(), hasRegistry: hasRegistry)
        let bench = try open(kwin)
        kwin.add(Device(name: "DP-9", position: [2560, 0]))
        try bench.run { bench.outputs.map(\.name) == ["eDP-1", "HDMI-A-1", "DP-9"] }
        kwin.remove(1)
        try bench.run { bench.outputs.map(\.name) == ["eDP-1", "DP-9"] }
    }

    @Test(arguments: [1, 2] as [UInt32])
    func `automatic rotation is reported before the outputs, and its end`(_ policy: UInt32) throws {
        var devices = devices()
        devices[0].capabilities = Self.autoRotate
        devices[0].policy = policy
        let kwin = try FakeKWin(devices, hasRegistry: false)
        let bench = try open(kwin)
        let name = try #require(bench.server?.name)
        #expect(bench.events.first == .rotatedBy(name))
        kwin.change { $0[0].policy = 0 }
        try bench.run { bench.events.last == .rotatedBy(nil) }
    }

    @Test(arguments: [true, false])
    func `more outputs than the limit are an error of the compositor`(_ hasRegistry: Bool) throws {
        let many = (0...WaylandLimit.outputs).map { Device(name: "DP-\($0)") }
        let bench = try DisplayBench(.kwin, environment: try FakeKWin(many, hasRegistry: hasRegistry).environment)
        try bench.run { !bench.events.isEmpty }
        let name = try #require(bench.server?.name)
        #expect(bench.events == [.lost("\(name) has more than 64 outputs")])
        _ = try open(try FakeKWin(many.dropLast(), hasRegistry: hasRegistry), outputs: WaylandLimit.outputs)
    }

    @Test func `a policy without the capability has no effect`() throws {
        var devices = devices()
        devices[0].policy = 2
        let bench = try open(try FakeKWin(devices, hasRegistry: true))
        #expect(bench.events.count == 1)
    }
}
