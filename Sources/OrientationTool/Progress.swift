// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The progress of something that takes long, as one line of standard error on a terminal.
///
/// Clear it before anything else is printed.
final class Progress {
    /// Between two updates, and before the first.
    private static let pause = Duration.milliseconds(300)

    private let isShown: Bool
    private var next = ContinuousClock.now + pause
    private var hasShown = false

    /// Shows nothing where standard error is no terminal.
    ///
    /// - Parameter yieldsToOutput: show nothing where standard output is a terminal: it is filled without a pause.
    init(yieldsToOutput: Bool = false) {
        isShown = isatty(STDERR_FILENO) == 1 && !(yieldsToOutput && isatty(STDOUT_FILENO) == 1)
    }

    deinit { clear() }

    /// Shows this, unless something was shown less than ``pause`` ago.
    func show(_ text: @autoclosure () -> String) {
        guard isShown, ContinuousClock.now >= next else { return }
        next = .now + Self.pause
        hasShown = true
        // A dumb terminal returns to the line's beginning as well, and what is shown never becomes shorter by much.
        // What is longer than a row could not be cleared.
        write("\r" + String((Printable.line(text()) + "   ").prefix(max(Terminal.columns(of: STDERR_FILENO) - 1, 1))))
    }

    /// Clears the line.
    func clear() {
        guard hasShown else { return }
        hasShown = false
        write("\r" + String(repeating: " ", count: Terminal.columns(of: STDERR_FILENO) - 1) + "\r")
    }

    private func write(_ text: String) {
        _ = TextOutput.write(Array(TextEncoding.current.text(text).utf8), to: STDERR_FILENO)
    }
}

/// The number of bytes that were read of an input.
struct InputProgress {
    private let progress: Progress
    private let name: String
    /// Nil for an input of unknown size.
    private let size: Int?
    private var taken = 0

    init(_ progress: Progress, name: String, descriptor: Int32) {
        (self.progress, self.name) = (progress, name)
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > 0
        size = isFile ? Int(status.st_size) : nil
    }

    mutating func take(_ count: Int) {
        taken += count
        let (name, taken, size) = (name, taken, size)
        let megabytes = { (count: Int) in Decimal.text(Double(count) / 1e6, places: 1) }
        progress.show(
            size.map { "\(name): \(min(taken * 100 / $0, 100)) % of \(megabytes($0)) MB" }
                ?? "\(name): \(megabytes(taken)) MB")
    }
}
