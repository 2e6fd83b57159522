// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import Posix
internal import Systemd

/// The agent that runs in this session, and the options that it was started with.
struct RunningAgent: Hashable, Sendable {
    let process: Int32
    /// Its command-line arguments; nil if it cannot be read.
    let arguments: [String]?

    /// The maximum length of a command line that is read, in bytes.
    private static let longestCommandLine = 1 << 16

    /// Finds the agent that holds the lock of this session; nil without one.
    static func find() -> RunningAgent? { SessionLock.holder().map(RunningAgent.init(process:)) }

    /// Its settings: the defaults if its command line cannot be read.
    var settings: Settings {
        guard let arguments, case .run(let options) = Options.parse([Options.program] + arguments) else {
            return Settings()
        }
        return options.settings
    }

    /// Whether it rotates the display, and does not only map touch screens or print.
    var rotates: Bool { !settings.isDryRun && settings.when != .never }

    /// Its name with the process and the options, for messages.
    var description: String {
        let options = (arguments ?? []).map { " \($0)" }.joined()
        return "orientation-autorotate\(options) (process \(process))"
    }
}

extension RunningAgent {
    init(process: Int32) {
        // Each word ends with a NUL.
        let words = SmallFile.read("/proc/\(process)/cmdline", atMost: Self.longestCommandLine)?
            .split(separator: "\0", omittingEmptySubsequences: false).dropLast()
        self.init(process: process, arguments: words.map { $0.dropFirst().map(String.init) })
    }
}
