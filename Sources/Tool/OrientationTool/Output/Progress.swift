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

    /// Clears the line.
    func clear() {
        guard hasShown else { return }
        hasShown = false
        StandardError.write("\r" + String(repeating: " ", count: Terminal.size(of: STDERR_FILENO).columns - 1) + "\r")
    }
}

/// Counts the bytes read from an input, and shows them.
struct InputProgress {
    private let progress: Progress
    private let name: String
    /// The size of a regular file in bytes; nil for other inputs.
    private let size: Int?
    private var total = 0

    init(_ progress: Progress, name: String, descriptor: Int32) {
        (self.progress, self.name) = (progress, name)
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
        size = isFile ? Int(status.st_size) : nil
    }

    mutating func add(_ count: Int) {
        total += count
        let (name, total, size) = (name, total, size)
        let megabytes = { (count: Int) in Decimal.text(Double(count) / 1e6, places: 1) }
        progress.show(
            size.map { "\(name): \(min(total * 100 / $0, 100)) % of \(megabytes($0)) MB" }
                ?? "\(name): \(megabytes(total)) MB")
    }
}
