// SPDX-License-Identifier: Apache-2.0

import DesktopEntry
import Foundation
import SeededRandomness
import TestSupport
import Testing

@Suite struct DesktopEntryTests {
    private func entry(_ text: String) throws(DesktopEntryError) -> DesktopEntry {
        try DesktopEntry(bytes: Array(text.utf8))
    }

    @Test func `values are those of the main group, without the space around them`() throws {
        let entry = try entry(
            """
            # made by hand\r
            [Desktop Entry]\r
            Name = Reader  \r
            Name[de]=Leser
            Exec=reader --title "a=b" %f
            \r
            [Desktop Action New]
            Exec=reader --new
            not a line of the main group
            """)
        #expect(entry["Name"] == "Reader" && entry["Name[de]"] == "Leser")
        #expect(entry["Exec"] == "reader --title \"a=b\" %f")
        #expect(entry["Icon"] == nil && entry.list("Icon") == nil)
    }

    @Test(arguments: [
        // U+037E is canonically equivalent to a semicolon.
        ("a\u{37E}b", ["a\u{37E}b"]), (";\u{301}a", ["", "\u{301}a"]),
        ("a;b;", ["a", "b"]), ("a;b", ["a", "b"]), (" a ; b ; ", ["a", "b"]), ("", []), ("a;;b", ["a", "", "b"]),
    ])
    func `a list is split at semicolons, the last one optional`(value: String, parts: [String]) throws {
        #expect(try entry("[Desktop Entry]\nKey=\(value)\n").list("Key") == parts)
    }

    @Test(arguments: [
        ("Name=App\n", nil, "the group [Desktop Entry] is missing"),
        ("", nil, "the group [Desktop Entry] is missing"),
        ("[Desktop Entry\n", 1, "a group header without ']'"),
        ("# comment\n\n[Desktop Entry]\r\nportrait\n", 4, "neither KEY=VALUE nor a group header"),
        ("[Desktop Entry]\nName=A\nName = B\n", 3, "duplicate key Name"),
    ])
    func `an invalid file is refused with its line`(text: String, line: Int?, reason: String) {
        #expect(throws: DesktopEntryError.malformed(line: line, reason: reason)) { try entry(text) }
    }

    /// Their normalization would take minutes for each comparison.
    @Test(.timeLimit(.minutes(10))) func `long runs of combining marks are read in time`() throws {
        let marks = String(repeating: "\u{301}\u{323}", count: 60_000)
        let entry = try entry("[Desktop Entry]\nName=a\(marks);b\nKey\(marks)=x\nKey\(marks)a=x\n[\(marks)]\n")
        #expect(entry.list("Name")?.count == 2 && entry["Key"] == nil && entry["Key" + marks] != nil)
    }

    @Test func `bytes that are not UTF-8 or too many are refused`() {
        #expect(throws: DesktopEntryError.malformed(line: nil, reason: "not UTF-8")) {
            try DesktopEntry(bytes: [0x5B, 0xFF])
        }
        let bytes = [UInt8](repeating: 0x0A, count: DesktopEntry.maximumBytes + 1)
        #expect(throws: DesktopEntryError.tooLarge(bytes: bytes.count)) { try DesktopEntry(bytes: bytes) }
    }

    @Test func `a file is read completely, up to the limit`() throws {
        let directory = try TemporaryDirectory()
        let text = "[Desktop Entry]\nName=Reader\nComment=" + String(repeating: "x", count: 100_000) + "\nExec=reader"
        let path = try directory.write(text, to: "app.desktop")
        #expect(try DesktopEntry(path: path) == entry(text))
        for excess in [0, 1] {
            let head = "[Desktop Entry]\n#"
            let count = DesktopEntry.maximumBytes - head.utf8.count + excess
            let path = try directory.write(head + String(repeating: "x", count: count), to: "long.desktop")
            if excess == 0 {
                #expect(try DesktopEntry(path: path)["Name"] == nil)
            } else {
                #expect(throws: DesktopEntryError.tooLarge(bytes: DesktopEntry.maximumBytes + 1)) {
                    try DesktopEntry(path: path)
                }
            }
        }
    }

    @Test func `a missing file, a directory and a FIFO are refused without blocking`() throws {
        let directory = try TemporaryDirectory()
        #expect(mkfifo(directory.path("fifo"), 0o600) == 0)
        for (path, reason) in [
            (directory.path("none"), "No such file or directory"), (directory.path, "Is a directory"),
            (directory.path("fifo"), "not a regular file"), ("/dev/zero", "not a regular file"),
            ("a\0b", "the path contains a NUL"),
        ] {
            #expect(throws: DesktopEntryError.unreadable(reason: reason)) { try DesktopEntry(path: path) }
        }
    }

    @Test func `no sequence of bytes crashes the parser`() {
        var random = SeededGenerator(seed: 7)
        let pieces = ["[", "]", "=", ";", "\n", "\r\n", "\r", "#", " ", "Desktop Entry", "\u{301}", "\0", "é", "Name"]
        for _ in 0..<2_000 {
            let head = Bool.random(using: &random) ? "[Desktop Entry]\n" : ""
            let text = (0..<12).compactMap { _ in pieces.randomElement(using: &random) }.joined()
            guard let entry = try? entry(head + text) else { continue }
            _ = (entry["Name"], entry.list("Name"))
        }
    }
}
