// SPDX-License-Identifier: Apache-2.0

import Glibc
import Posix

/// A progress line on standard error, if that is a terminal.
///
/// Clear it before printing anything else.
final class Progress {
    /// The interval between updates, and before the first.
    private static let pause = Duration.milliseconds(300)

    private let isShown: Bool
    private var next = ContinuousClock.now + pause
    private var hasShown = false

    /// - Parameters:
    ///   - yieldsToOutput: Whether to show nothing if standard output is a terminal too: its text would be mixed with the
    ///     progress.
    ///   - isQuiet: Whether to show nothing at all.
    init(yieldsToOutput: Bool = false, isQuiet: Bool = false) {
        isShown = !isQuiet && isatty(STDERR_FILENO) == 1 && !(yieldsToOutput && isatty(STDOUT_FILENO) == 1)
    }

    deinit { clear() }

    /// Shows the text, unless the last update was less than ``pause`` ago.
    func show(_ text: @autoclosure () -> String) {
        guard isShown, ContinuousClock.now >= next else { return }
        next = .now + Self.pause
        hasShown = true
        // Dumb terminals support the carriage return. Spaces overwrite the rest of a slightly longer text. The text is
        // cut to one row, because a longer one could not be cleared.
        let row = (text().replacingControls() + "   ").prefix(max(Terminal.size(of: STDERR_FILENO).columns - 1, 1))
        StandardError.write("\r" + row)
    }

    func clear() {
        guard hasShown else { return }
        hasShown = false
        StandardError.write("\r" + String(repeating: " ", count: Terminal.size(of: STDERR_FILENO).columns - 1) + "\r")
    }
}
