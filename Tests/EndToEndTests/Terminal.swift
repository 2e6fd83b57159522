// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A program on a terminal of its own (a pseudo-terminal), and what its screen shows.
final class Terminal {
    private let master: Int32
    private let process = Process()
    private var isOver = false
    /// The lines above the cursor's, as they stay on the screen.
    private(set) var lines: [String] = []
    private var current: [Character] = []
    private var column = 0
    private var pending: [UInt8] = []

    /// TIOCSPTLCK and TIOCGPTN: Swift's Glibc has neither them nor unlockpt and ptsname.
    private static let unlock: UInt = 0x4004_5431
    private static let askNumber: UInt = 0x8004_5430

    init(_ path: String, _ arguments: [String]) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (unlocked, number): (Int32, Int32) = (0, -1)
        guard master >= 0, ioctl(master, Self.unlock, &unlocked) == 0, ioctl(master, Self.askNumber, &number) == 0
        else {
            throw Surprise("there is no pseudo-terminal")
        }
        let end = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        let slave = FileHandle(fileDescriptor: end, closeOnDealloc: false)
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging([
            "SWIFT_BACKTRACE": "enable=no", "LC_ALL": "C.UTF-8",
        ]) { $1 }
        process.standardInput = slave
        process.standardOutput = slave
        process.standardError = slave
        try process.run()
        // The end is noticed once nobody has it open.
        try slave.close()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        close(master)
    }

    func send(_ signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    /// Waits until a line that fits stays on the screen, from the line `start` on; its number.
    @discardableResult
    func line(from start: Int = 0, where fits: (String) -> Bool) throws -> Int {
        let deadline = Date(timeIntervalSinceNow: patience)
        while true {
            if let found = lines.indices.first(where: { $0 >= start && fits(lines[$0]) }) { return found }
            guard !isOver, deadline.timeIntervalSinceNow > 0 else { throw Surprise("the screen shows: \(text)") }
            read(atMost: deadline.timeIntervalSinceNow)
        }
    }

    /// Waits until the line of the cursor fits.
    func cursor(where fits: (String) -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: patience)
        while !fits(String(current)) {
            guard !isOver, deadline.timeIntervalSinceNow > 0 else { throw Surprise("the screen shows: \(text)") }
            read(atMost: deadline.timeIntervalSinceNow)
        }
    }

    /// Waits for the program's end; its exit status, or minus the signal that ended it.
    func wait() -> Int32 {
        let deadline = Date(timeIntervalSinceNow: patience)
        while !isOver, deadline.timeIntervalSinceNow > 0 { read(atMost: 0.1) }
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// Everything that stays on the screen.
    var text: String { (lines + [String(current)]).joined(separator: "\n") }

    private func read(atMost seconds: Double) {
        var watched = [pollfd(fd: master, events: Int16(POLLIN), revents: 0)]
        guard poll(&watched, 1, Int32(max(seconds, 0) * 1_000)) == 1 else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(master, &buffer, buffer.count)
        // The last one to have the other end open has gone.
        guard count > 0 else { return isOver = true }
        pending += buffer[..<count]
        // A character or a sequence may be cut in two.
        guard let text = String(validating: pending, as: UTF8.self), !text.hasSuffix("\u{1B}"),
            !text.hasSuffix("\u{1B}[")
        else { return }
        pending = []
        draw(Array(text.unicodeScalars))
    }

    private func draw(_ text: [Unicode.Scalar]) {
        var rest = text[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\r": column = 0
            case "\n":
                lines.append(String(current))
                (current, column) = ([], 0)
            case "\u{7}": continue
            case "\u{1B}":
                // The only sequence that is expected: wipe to the end of the line.
                guard rest.prefix(2) == ["[", "K"] else { continue }
                rest = rest.dropFirst(2)
                current = Array(current.prefix(column))
            default:
                if column < current.count {
                    current[column] = Character(scalar)
                } else {
                    current.append(Character(scalar))
                }
                column += 1
            }
        }
    }
}
