// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How far something is that takes long: one line of standard error, for a person who looks at a terminal.
///
/// It is shown only where it disturbs nothing: with standard error a terminal, and what is made going elsewhere. It is
/// taken away again before anything else is said.
final class Progress {
    /// Between two showings, and before the first: what is over sooner needs none.
    private static let pause = Duration.milliseconds(300)

    private let isShown: Bool
    private var next = ContinuousClock.now + pause
    private var hasShown = false

    /// - Parameter isOutputVisible: what is made goes to standard output, which may be the same terminal.
    init(isOutputVisible: Bool) {
        isShown = isatty(STDERR_FILENO) == 1 && !(isOutputVisible && isatty(STDOUT_FILENO) == 1)
    }

    deinit { clear() }

    /// Shows this, unless something was shown a moment ago.
    func show(_ text: @autoclosure () -> String) {
        guard isShown, ContinuousClock.now >= next else { return }
        next = .now + Self.pause
        hasShown = true
        // A dumb terminal returns to the line's beginning as well, and what is shown never becomes shorter by much.
        write("\r\(text())   ")
    }

    /// Takes away what was shown.
    func clear() {
        guard hasShown else { return }
        hasShown = false
        write("\r" + String(repeating: " ", count: 79) + "\r")
    }

    private func write(_ text: String) {
        _ = TextOutput.write(Array(text.utf8), to: STDERR_FILENO)
    }
}

/// How many bytes of an input were read.
struct InputProgress {
    private let progress: Progress
    private let name: String
    /// Nil for what has no end that is known.
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
