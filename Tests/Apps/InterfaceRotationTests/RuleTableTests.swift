// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Compares the table of rules in the documentation with the sources and the tests.
@Suite struct RuleTableTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func swiftFiles(in folder: String) throws -> [String] {
        let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
        return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }
    }

    /// Returns rule, type and test of each row; patterns have no type.
    private func rows() throws -> [(rule: String, types: String, test: String)] {
        let page = root.appending(path: "Sources/Apps/InterfaceRotation/InterfaceRotation.docc/Rules.md")
        return try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let rule = cells.first, rule.wholeMatch(of: /[RP]\d+[a-z]?/) != nil else { return nil }
            return rule.hasPrefix("P") ? (rule, "", cells[1]) : (rule, cells[2], cells[3])
        }
    }

    @Test func `R1 to R43: every rule has a row with an existing type and test`() throws {
        let rows = try rows()
        let expected =
            (1...43).map { "R\($0)" } + ["R1b", "P3a", "P3b", "P3c"] + (1...11).filter { $0 != 3 }.map { "P\($0)" }
        for rule in expected { #expect(rows.contains { $0.rule == rule }, "no row for \(rule)") }
        let sources =
            try swiftFiles(in: "Sources/Apps").joined()
            + swiftFiles(in: "Sources/Model/OrientationModel").joined()
        let declaration = /(?:class|struct|enum|protocol|var|let|case|func) (\w+)/
        let declared = Set(sources.matches(of: declaration).map { String($0.1) })
        let tests = try swiftFiles(in: "Tests").joined()
        for row in rows {
            let name = row.test.trimmingCharacters(in: ["`"])
            // A function, or a row of ``ScenarioTests``.
            let forms = ["func `\(row.rule): \(name)`", "\n        \(row.rule): \(name)\n"]
            #expect(forms.contains { tests.contains($0) }, "\(row.rule): there is no test '\(name)'")
            for link in row.types.matches(of: /`+([A-Za-z\/]+)/) {
                let name = link.1.split(separator: "/").last.map(String.init) ?? ""
                #expect(declared.contains(name), "\(row.rule): there is no \(link.1)")
            }
        }
    }
}
