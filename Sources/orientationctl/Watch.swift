// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationClient
import OrientationModel
import OrientationWire

/// `orientationctl watch`: the state now, and each change.
struct Watch: AsksDaemon {
    static let configuration = CommandConfiguration(
        abstract: "Tell how the device is held, and each change of it, until Ctrl-C.",
        discussion: "Waits for a daemon that is not there yet, and goes on when it restarts.")

    @Flag(help: "Print each state as one JSON object on a line of its own.")
    var json = false

    @Option(help: ArgumentHelp("End after so many states.", valueName: "n"))
    var count: Int?

    @Option(help: ArgumentHelp("End so many seconds after the first state.", valueName: "seconds"))
    var duration: Double?

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    /// How many changes are kept for a terminal or a pipe that is slow; what is beyond shows as a gap in `sequence`.
    private static let backlog = 10_000

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be 1 or more") }
        if let duration, !(duration > 0 && duration < 1e9) { throw ValidationError("--duration must be more than 0") }
    }

    func run() async throws {
        let monitor = OrientationMonitor(socketPath: socketPath, buffering: .all(limit: Self.backlog))
        let (firstState, hasBegun) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup { group in
            group.addTask { try await printUpdates(of: monitor, hasBegun) }
            if let duration {
                group.addTask {
                    for await _ in firstState { break }
                    try await Task.sleep(for: .seconds(duration))
                }
            }
            // Whichever is over first ends the other.
            try await group.next()
            group.cancelAll()
        }
    }

    private func printUpdates(of monitor: OrientationMonitor, _ hasBegun: AsyncStream<Void>.Continuation) async throws {
        let output = TextOutput()
        var seen = 0
        for try await update in monitor.updates {
            switch update {
            case .notConnected(let reason):
                ExitStatus.say("\(reason); trying again")
            case .state(let state):
                output.add(json ? "\(state.json)\n" : "\(state.line)\n")
                try output.flush()
                seen += 1
                if seen == count { return }
                hasBegun.yield()
            }
        }
    }
}
