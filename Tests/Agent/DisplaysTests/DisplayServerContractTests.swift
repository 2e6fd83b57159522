// SPDX-License-Identifier: Apache-2.0

import Foundation
import SystemdTestSupport
import TestSupport
import Testing

@testable import Displays

/// The contract of ``DisplayServer``, for each backend.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DisplayServerContractTests {
    @Test(arguments: TestedServer.Backend.allCases)
    func `a program that rotates is reported first, then the outputs`(_ backend: TestedServer.Backend) throws {
        let tested = try TestedServer(backend)
        let kinds = tested.bench.events.map { event in
            switch event {
            case .rotatedBy(.some): "rotated by a program"
            case .outputs: "outputs"
            default: "\(event)"
            }
        }
        // No program rotates the display of an X server without GNOME.
        #expect(kinds == (backend == .x11 ? ["outputs"] : ["rotated by a program", "outputs"]))
        #expect(Set(tested.bench.outputs.map(\.name)).count == tested.bench.outputs.count)
    }

    @Test(arguments: TestedServer.Backend.allCases)
    func `each configuration has one result, after the outputs`(_ backend: TestedServer.Backend) throws {
        let tested = try TestedServer(backend)
        let former = tested.bench.outputs
        _ = tested.bench.takeEvents()
        // Xvfb cannot rotate.
        let transforms: [OutputTransform] = backend == .x11 ? [.normal, .normal] : [.rotated90, .normal]
        for (index, transform) in transforms.enumerated() {
            let wanted = Layout.rotating(former[0].name, to: transform, in: former)
            tested.bench.server?.apply(wanted)
            try tested.bench.run { tested.results.count > index }
            #expect(tested.bench.events.last == .applied)
            #expect(tested.bench.outputs == wanted)
        }
        try tested.bench.runReady()
        #expect(tested.results == [.applied, .applied])
    }

    @Test(arguments: TestedServer.Backend.allCases)
    func `a configuration that the server refuses has one result`(_ backend: TestedServer.Backend) throws {
        let tested = try TestedServer(backend)
        let former = tested.bench.outputs
        _ = tested.bench.takeEvents()
        try tested.refuse()
        for count in 1...2 {
            tested.bench.server?.apply(Layout.rotating(former[0].name, to: .rotated90, in: former))
            try tested.bench.run { tested.results.count >= count }
        }
        try tested.bench.runReady()
        #expect(tested.results.count == 2)
        for result in tested.results {
            guard case .failed(let reason) = result else { return #expect(Bool(false), "\(result)") }
            #expect(!reason.isEmpty)
        }
    }

    @Test(arguments: TestedServer.Backend.allCases)
    func `the end of the server is the last event`(_ backend: TestedServer.Backend) throws {
        let tested = try TestedServer(backend)
        let outputs = tested.bench.outputs
        _ = tested.bench.takeEvents()
        try tested.end()
        try tested.bench.run { !tested.bench.events.isEmpty }
        tested.bench.server?.apply(outputs)
        tested.bench.server?.alignInput(with: outputs[0])
        try tested.bench.runReady()
        guard case .ended(let reason) = tested.bench.events.first else {
            return #expect(Bool(false), "\(tested.bench.events)")
        }
        #expect(!reason.isEmpty)
        #expect(tested.bench.events.count == 1)
    }
}

/// A display server of a backend, which another program rotates where the backend can report that.
final class TestedServer {
    enum Backend: String, CaseIterable, Sendable {
        case wlr, kwin, mutter, x11
    }

    let bench: DisplayBench
    /// Lets the server refuse all configurations that rotate.
    let refuse: () throws -> Void
    /// Ends the server.
    let end: () throws -> Void

    /// Starts a server, and opens it until its first outputs.
    init(_ backend: Backend) throws {
        switch backend {
        case .wlr: (bench, refuse, end) = try Self.wlr()
        case .kwin: (bench, refuse, end) = try Self.kwin()
        case .mutter: (bench, refuse, end) = try Self.mutter()
        case .x11: (bench, refuse, end) = try Self.x11()
        }
        let bench = bench
        try bench.run { !bench.outputs.isEmpty }
    }

    /// The results of configurations that the server sent.
    var results: [DisplayEvent] {
        bench.events.filter {
            switch $0 {
            case .applied, .failed, .outdated: true
            default: false
            }
        }
    }

    private typealias Parts = (DisplayBench, () throws -> Void, () throws -> Void)

    private static func wlr() throws -> Parts {
        let directory = try TemporaryDirectory()
        let file = directory.path("wayfire.ini")
        try "plugins = autorotate-iio\n".write(toFile: file, atomically: false, encoding: .utf8)
        let compositor = try FakeCompositor([.init(name: "eDP-1"), .init(name: "HDMI-A-1", position: [1920, 0])])
        let more = ["WAYFIRE_SOCKET": "/run/wayfire", "WAYFIRE_CONFIG_FILE": file]
        let bench = try DisplayBench(.wlr, environment: compositor.environment.merging(more) { $1 })
        // The file is read with the first outputs.
        try bench.run { !bench.outputs.isEmpty }
        return (bench, { compositor.reply(.fail) }, { compositor.close() })
    }

    private static func kwin() throws -> Parts {
        let kwin = try FakeKWin(
            [.init(name: "eDP-1", capabilities: 0x20, policy: 1), .init(name: "HDMI-A-1", position: [1280, 0])],
            hasRegistry: true)
        return (
            try DisplayBench(.kwin, environment: kwin.environment), { kwin.refuse("a reason") }, { kwin.close() }
        )
    }

    private static func mutter() throws -> Parts {
        let bus = try PrivateBus()
        let service = try RunningProgram(
            "/usr/bin/python3", [Programs.packageFolder + "/Tests/Agent/DisplaysTests/Python/mutter.py", bus.address],
            keepsInput: true)
        _ = try service.lines { $0 == "ready" }
        let bench = try DisplayBench(
            .mutter, environment: ["DISPLAY": ":0", "DBUS_SESSION_BUS_ADDRESS": bus.address])
        return (
            bench,
            {
                service.write("refuse\n")
                _ = try service.lines { $0 == "done" }
            },
            {
                service.write("end\n")
                _ = service.wait()
                bus.stop()
            }
        )
    }

    private static func x11() throws -> Parts {
        let server = try TestXServer()
        return (try server.open(), {}, { server.kill() })
    }
}
