// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The help texts, compared with the man page.
@Suite struct HelpTests {
    private struct Dump: Decodable {
        var command: Command
    }

    private struct Command: Decodable {
        var commandName: String
        var abstract: String
        var subcommands: [Command]?
        var arguments: [Argument]?

        var all: [Command] { [self] + (subcommands ?? []).filter { $0.commandName != "help" }.flatMap(\.all) }
    }

    private struct Argument: Decodable {
        var abstract: String?
        var valueName: String?
        var shouldDisplay: Bool
    }

    /// The help texts of the tool; those of ArgumentParser itself end in a full stop.
    private static func texts() throws -> [String] {
        let run = try Run(["--experimental-dump-help"])
        let commands = try JSONDecoder().decode(Dump.self, from: Data(run.output.utf8)).command.all
        let arguments = commands.flatMap { $0.arguments ?? [] }.filter {
            $0.shouldDisplay && !["version", "help"].contains($0.valueName)
        }
        return commands.map(\.abstract) + arguments.map { $0.abstract ?? "" }
    }

    @Test func `every help text is a phrase of at most 60 characters`() throws {
        let texts = try Self.texts()
        #expect(texts.count > 50)
        for text in texts {
            #expect((1...60).contains(text.count), "\(text)")
            #expect(text.first?.isUppercase == true && !text.hasSuffix("."), "\(text)")
        }
    }

    @Test func `the man page has every help text`() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("man/orientationctl.1")
        let page = try String(contentsOf: file, encoding: .utf8).replacing("\\-", with: "-")
            .replacing("\\[u00B2]", with: "²").lowercased()
        for text in Set(try Self.texts()) { #expect(page.contains(text.lowercased()), "\(text)") }
    }
}
