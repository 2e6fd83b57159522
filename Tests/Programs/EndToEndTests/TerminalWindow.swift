// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A headless terminal with a program in it: a pseudo-terminal, and pyte for its screen.
final class TerminalWindow {
    private let program: RunningProgram
    /// The process in the terminal.
    let child: Int32

    /// Starts a program, its path first, in a terminal of this size with a UTF-8 locale and these variables.
    init(_ columns: Int, _ rows: Int, _ command: [String], environment: [String: String] = [:]) throws {
        let script = Programs.packageFolder + "/Tests/Programs/EndToEndTests/Python/terminal.py"
        let usual = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "NO_COLOR": ""]
        program = try RunningProgram(
            Programs.python, [script, "\(columns)", "\(rows)"] + command,
            environment: usual.merging(environment) { $1 }, keepsInput: true)
        guard let line = try program.line(), let child = Int32(line) else {
            throw TestFailure(
                "cannot start terminal.py: \(program.errorText); `make test` installs its Python packages")
        }
        self.child = child
    }

    /// The program in the terminal has a session of its own.
    deinit { kill(child, SIGKILL) }

    /// Waits until the screen contains all of these texts, after the last occurrence of `start`; returns the screen.
    @discardableResult
    func until(_ parts: String..., after start: String = "") throws -> [String] {
        let screen: [String] = try request("until", parts, start)
        let text = screen.joined(separator: "\n")
        for part in parts where !text.contains(part) { throw TestFailure("'\(part)' not on the screen:\n\(text)") }
        return screen
    }

    func resize(_ columns: Int, _ rows: Int) throws { let _: String = try request("resize", columns, rows) }

    func type(_ keys: String) throws { let _: String = try request("type", keys) }

    /// The text on the screen, without the empty rows at its end.
    var text: String {
        get throws { try until().joined(separator: "\n").replacing(/\n+$/, with: "") }
    }

    func interrupt() { kill(child, SIGINT) }

    var colours: [String] { get throws { try request("colours") } }

    var showsCursor: Bool { get throws { try request("cursor") } }

    /// The bytes written since the last access.
    var written: String { get throws { try request("written") } }

    /// Waits for the end; returns the exit status, or the negative signal number.
    func end() throws -> Int32 { try request("end") }

    private func request<Answer: Decodable>(_ words: Any...) throws -> Answer {
        program.write(String(decoding: try JSONSerialization.data(withJSONObject: words), as: UTF8.self) + "\n")
        guard let line = try program.line() else { throw TestFailure("terminal.py: \(program.errorText)") }
        return try JSONDecoder().decode([Answer].self, from: Data("[\(line)]".utf8))[0]
    }
}
