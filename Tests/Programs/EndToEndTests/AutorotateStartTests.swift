// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The start of orientation-autorotate without a usable display server, and its options.
@Suite struct AutorotateStartTests {
    private func run(_ arguments: String..., environment: [String: String]) throws -> RunningProgram.Result {
        let none = ["WAYLAND_DISPLAY": "", "DISPLAY": "", "WAYLAND_SOCKET": ""]
        return try RunningProgram.run(
            Programs.agent, arguments, environment: none.merging(environment) { _, other in other })
    }

    @Test func `without XDG_RUNTIME_DIR the agent reports it`() throws {
        let end = try run(environment: ["XDG_RUNTIME_DIR": ""])
        #expect(end.status == 1)
        #expect(end.errors.contains("XDG_RUNTIME_DIR is not set"))
    }

    @Test func `without a graphical session the agent reports it and exits with EX_UNAVAILABLE`() throws {
        let folder = try TemporaryDirectory()
        for arguments in [[], ["--list"]] {
            let end = try RunningProgram.run(
                Programs.agent, arguments,
                environment: ["WAYLAND_DISPLAY": "", "DISPLAY": "", "XDG_RUNTIME_DIR": folder.path])
            #expect(end.status == 69)
            #expect(
                end.errors.contains("neither WAYLAND_DISPLAY nor DISPLAY is set; run this in the graphical session"))
            #expect(end.errors.filter(\.isNewline).count == 1)
        }
    }

    @Test func `a display server that does not listen is reported`() throws {
        let folder = try TemporaryDirectory()
        let end = try run(environment: ["WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": folder.path])
        // The unit starts the agent again: the display server may listen later.
        #expect(end.status == 1)
        #expect(end.errors.contains("wayland-7"))
    }

    @Test func `man page and completions have every option of the help`() throws {
        let help = try run("--help", environment: [:]).output.joined(separator: "\n")
        let options = help.matches(of: /--([a-z-]+)/).map { String($0.1) }
        #expect(Set(options).count == 14)
        for file in ["man/orientation-autorotate.1"]
            + ["bash", "zsh", "fish"].map({ "packaging/completions/orientation-autorotate.\($0)" })
        {
            let text = try String(contentsOfFile: Programs.packageFolder + "/" + file, encoding: .utf8)
                .replacing("\\-", with: "-")
            for option in options {
                let isListed = text.contains("--\(option)") || text.contains("-l \(option) ")
                #expect(isListed, "\(file): \(option)")
            }
        }
    }
}
