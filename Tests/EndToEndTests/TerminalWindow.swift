// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A terminal without a window, in which a program of ours runs: a pseudo-terminal, and pyte for its screen.
final class TerminalWindow {
    private let program: RunningProgram
    /// The process in the terminal.
    let child: Int32

    /// Opens a window of this size for a program, its path first, with what a terminal in a UTF-8 locale has in its
    /// environment and with this.
    init(_ columns: Int, _ rows: Int, _ command: [String], environment: [String: String] = [:]) throws {
        let script = Programs.packageFolder + "/Tests/EndToEndTests/Python/terminal.py"
        let usual = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "NO_COLOR": ""]
        program = try RunningProgram(
            Programs.python, [script, "\(columns)", "\(rows)"] + command,
            environment: usual.merging(environment) { $1 }, keepsInput: true)
        guard let line = try program.line(), let child = Int32(line) else {
            throw Surprise("the terminal did not start: \(program.errorText); `make test` installs its Python packages")
        }
        self.child = child
    }

    /// Waits until the screen shows all of this; the screen then.
    @discardableResult
    func until(_ parts: String...) throws -> [String] {
        let screen: [String] = try ask("until", parts)
        let text = screen.joined(separator: "\n")
        for part in parts where !text.contains(part) { throw Surprise("'\(part)' did not come, but\n\(text)") }
        return screen
    }

    func resize(_ columns: Int, _ rows: Int) throws { let _: String = try ask("resize", columns, rows) }

    func type(_ keys: String) throws { let _: String = try ask("type", keys) }

    var colours: [String] { get throws { try ask("colours") } }

    var showsCursor: Bool { get throws { try ask("cursor") } }

    /// What the program has written since this was last asked.
    var written: String { get throws { try ask("written") } }

    /// Waits for the program's end; its status, or minus the signal that ended it.
    func end() throws -> Int32 { try ask("end") }

    private func ask<Answer: Decodable>(_ words: Any...) throws -> Answer {
        program.write(String(decoding: try JSONSerialization.data(withJSONObject: words), as: UTF8.self) + "\n")
        guard let line = try program.line() else { throw Surprise("the terminal is gone: \(program.errorText)") }
        return try JSONDecoder().decode([Answer].self, from: Data("[\(line)]".utf8))[0]
    }
}
