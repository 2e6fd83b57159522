// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Displays

/// The contract of ``DisplayServer``, for each backend.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DisplayServerContractTests {
    @Test(arguments: TestedServer.Backend.allCases)
    func `the outputs are reported first`(_ backend: TestedServer.Backend) throws {
        let tested = try TestedServer(backend)
        #expect(tested.bench.events == [.outputs(tested.bench.outputs)])
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

/// A display server of a backend.
final class TestedServer {
    enum Backend: String, CaseIterable, Sendable {
        case wlr, x11
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
        let compositor = try FakeCompositor([.init(name: "eDP-1"), .init(name: "HDMI-A-1", position: [1920, 0])])
        return (
            try DisplayBench(.wlr, environment: compositor.environment), { compositor.reply(.fail) },
            { compositor.close() }
        )
    }

    private static func x11() throws -> Parts {
        let server = try TestXServer()
        return (try server.open(), {}, { server.kill() })
    }
}
