// SPDX-License-Identifier: Apache-2.0

import Systemd
import SystemdTestSupport

@testable import Displays

/// A display server that a test opened, and the events that it sent.
final class DisplayBench {
    private let bench: LoopBench
    private(set) var server: (any DisplayServer)?
    private(set) var events: [DisplayEvent] = []
    let messages = LoggedMessages()
    var loop: EventLoop { bench.loop }

    /// Opens the display server of an environment; `server` is nil if it is not of this kind.
    init(_ kind: DisplayServerKind, environment: [String: String], reportsFrontWindow: Bool = false) throws {
        bench = try LoopBench()
        let session = DisplaySession(
            environment: environment, loop: bench.loop, log: messages.logger, reportsFrontWindow: reportsFrontWindow)
        server = try kind.open(session) { [unowned self] in events.append($0) }
    }

    /// The outputs that the server sent last.
    var outputs: [Output] {
        events.reversed().lazy.compactMap { if case .outputs(let outputs) = $0 { outputs } else { nil } }.first ?? []
    }

    /// The reports of the window in front, without the other events.
    var frontWindows: [DisplayEvent] {
        events.filter {
            switch $0 {
            case .frontWindow, .frontWindowUnsupported: true
            default: false
            }
        }
    }

    /// Dispatches events until `condition` is true.
    func run(until condition: () -> Bool) throws { try bench.run(until: condition) }

    /// Dispatches the events that are ready, without waiting.
    func runReady() throws { try bench.runReady() }

    /// Returns the events that were sent, and forgets them.
    func takeEvents() -> [DisplayEvent] {
        defer { events = [] }
        return events
    }

    /// Applies outputs, and returns the event of the result.
    func apply(_ outputs: [Output]) throws -> DisplayEvent? {
        events = []
        server?.apply(outputs)
        var result: DisplayEvent? {
            events.first {
                switch $0 {
                case .applied, .failed, .outdated, .ended: true
                default: false
                }
            }
        }
        try run { result != nil }
        return result
    }
}
