// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A program on a pseudo-terminal, and its screen.
final class Terminal {
    private let master: Int32
    private let process = Process()
    private var isOver = false
    /// The lines above the cursor.
    private(set) var lines: [String] = []
    private var current: [Character] = []
    private var column = 0
    private var pending: [UInt8] = []

    /// TIOCSPTLCK and TIOCGPTN, which Swift's Glibc lacks, as it does unlockpt and ptsname.
    private static let unlock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    init(_ path: String, _ arguments: [String]) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (unlocked, number): (Int32, Int32) = (0, -1)
        guard master >= 0, ioctl(master, Self.unlock, &unlocked) == 0, ioctl(master, Self.getNumber, &number) == 0
        else {
            throw TestFailure("cannot open a pseudo-terminal")
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
        // Only the child may keep the other end open: its exit is then the end of file.
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

    /// Waits for a matching line above the cursor, from the line `start` on; returns the next line's number.
    @discardableResult
    func line(from start: Int = 0, where fits: (String) -> Bool) throws -> Int {
        let deadline = Date(timeIntervalSinceNow: stepTimeout)
        while true {
            if let found = lines.indices.first(where: { $0 >= start && fits(lines[$0]) }) { return found }
            guard !isOver, deadline.timeIntervalSinceNow > 0 else { throw TestFailure("the screen shows: \(text)") }
            read(atMost: deadline.timeIntervalSinceNow)
        }
    }

    /// Waits until the line of the cursor matches.
    func cursor(where fits: (String) -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: stepTimeout)
        while !fits(String(current)) {
            guard !isOver, deadline.timeIntervalSinceNow > 0 else { throw TestFailure("the screen shows: \(text)") }
            read(atMost: deadline.timeIntervalSinceNow)
        }
    }

    /// Waits for the end; returns the exit status, or the negative signal number.
    func wait() -> Int32 {
        let deadline = Date(timeIntervalSinceNow: stepTimeout)
        while !isOver, deadline.timeIntervalSinceNow > 0 { read(atMost: 0.1) }
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// The whole screen.
    var text: String { (lines + [String(current)]).joined(separator: "\n") }

    private func read(atMost seconds: Double) {
        var watched = [pollfd(fd: master, events: Int16(POLLIN), revents: 0)]
        guard poll(&watched, 1, Int32(max(seconds, 0) * 1_000)) == 1 else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(master, &buffer, buffer.count)
        // EIO: the other end is closed.
        guard count > 0 else { return isOver = true }
        pending += buffer[..<count]
        // A character or a sequence may be incomplete.
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
                // The only expected sequence: erase to the end of the line.
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
