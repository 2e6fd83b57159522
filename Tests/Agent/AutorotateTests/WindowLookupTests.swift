// SPDX-License-Identifier: Apache-2.0

import Dispatch
import OrientationModel
import OrientationRules
import SeededRandomness
import SystemdTestSupport
import Testing

@testable import Autorotate
@testable import Displays

/// Windows that come to the front and change while their desktop files are looked up: the replies arrive after events that
/// were already queued, as in the agent.
@Suite struct WindowLookupTests {
    private static let desktopFiles: [String: [InterfaceOrientation]] = [
        "film": [.landscapeLeft, .landscapeRight], "reader": [.portrait],
    ]

    /// A policy, and the queue of its events.
    private struct Bench {
        var policy: PolicyBench
        var queue: [AutorotatePolicy.Event] = []

        init() {
            policy = PolicyBench()
            policy.start()
            policy.turnAndAccept(.portrait)
        }

        /// The display server reports the window in front.
        mutating func report(_ windows: FrontWindow?...) {
            queue += windows.map { .display(.frontWindow($0)) }
        }

        /// Handles an event of the queue, and appends the reply to the lookup that it causes.
        mutating func step() {
            for effect in policy.handle(queue.removeFirst()) {
                guard case .findApp(let window) = effect else { continue }
                let declaration = window.appID.map {
                    AppDeclaration(id: $0, orientations: WindowLookupTests.desktopFiles[$0])
                }
                queue.append(.app(declaration, window: window))
            }
            policy.accept()
        }

        mutating func drain() { while !queue.isEmpty { step() } }

        var rules: AppRules { policy.policy.apps }
    }

    private func window(
        _ id: UInt64, _ appID: String?, _ state: FrontWindow.State = .fullscreen
    ) -> FrontWindow {
        FrontWindow(id: id, appID: appID, state: state)
    }

    @Test func `windows of a folder that does not reply have no app after a timeout, and theirs later`() throws {
        let loop = try LoopBench()
        let gate = DispatchSemaphore(value: 0)
        var bench = PolicyBench()
        bench.desktopFiles = Self.desktopFiles
        bench.start()
        bench.turnAndAccept(.portrait)
        bench.show("film")
        #expect(bench.orientation == .landscapeLeft)
        var events: [AutorotatePolicy.Event] = []
        let declaration = AppDeclaration(id: "game", orientations: OrientationList([.landscapeRight]))
        let lookup = AppLookup(AppDeclarations(environment: [:]), on: loop.loop) { _, window in
            gate.wait()
            return [.app(declaration, window: window)]
        } report: {
            events.append($0)
        }
        func deliver() {
            for event in events { bench.handle(event) }
            events = []
            bench.accept()
        }
        bench.handle(.display(.frontWindow(window(2, "game"))))
        lookup.find(window(2, "game"))
        #expect(bench.orientation == .landscapeLeft)
        try loop.run { !events.isEmpty }
        deliver()
        #expect(bench.policy.apps.window?.id == 2 && bench.orientation == .portrait)
        bench.handle(.display(.frontWindow(window(3, "game"))))
        lookup.find(window(3, "game"))
        #expect(events.count == 1, "later windows do not wait")
        deliver()
        #expect(bench.policy.apps.window?.id == 3 && bench.orientation == .portrait)
        gate.signal()
        gate.signal()
        // If the thread takes 2 s, as on a loaded machine, the window is first reported without an app once more.
        try loop.run { events.contains(.app(declaration, window: window(3, "game"))) }
        deliver()
        #expect(bench.policy.apps.window?.id == 3 && bench.orientation == .landscapeRight)
    }

    @Test func `after any sequence of windows, what applies is the declaration of the last one`() {
        for seed in (0..<500).sampled {
            var random = SeededGenerator(seed: UInt64(seed))
            var bench = Bench()
            var last: FrontWindow?
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let appIDs = ["film", "reader", "plain", nil]
                let states = [FrontWindow.State.normal, .maximized, .fullscreen]
                last =
                    Int.random(in: 0..<5, using: &random) == 0
                    ? nil
                    : window(
                        UInt64.random(in: 1...3, using: &random), appIDs[Int.random(in: 0..<4, using: &random)],
                        states[Int.random(in: 0..<3, using: &random)])
                bench.report(last)
                for _ in 0..<Int.random(in: 0...3, using: &random) where !bench.queue.isEmpty { bench.step() }
            }
            bench.drain()
            let declared = last.flatMap { window in
                window.state == .fullscreen ? window.appID.flatMap { Self.desktopFiles[$0] } : nil
            }
            #expect(bench.rules.window == last, "seed \(seed)")
            #expect(bench.rules.declared == declared, "seed \(seed)")
            #expect(declared?.contains(bench.policy.orientation ?? .portrait) ?? true, "seed \(seed)")
        }
    }
}
