// SPDX-License-Identifier: Apache-2.0

import Foundation
import Systemd
import SystemdTestSupport
import TestSupport
import Testing

@testable import OrientationDaemon

@Suite struct GroupLookupTests {
    /// A group that no database of this machine has.
    private static let name = "no-such-group-here"
    private static let entry = "\(name):x:994:\n"

    /// A lookup of ``name`` with its own group file.
    private final class Lookup {
        private let bench: LoopBench
        private let folder: TemporaryDirectory
        private let queue = EventQueue()
        private let messages = LoggedMessages()
        let lookup: GroupLookup

        /// Makes the first lookup in a file with this text.
        init(file text: String) throws {
            bench = try LoopBench()
            folder = try TemporaryDirectory()
            let path = try folder.write(text, to: "group")
            lookup = GroupLookup(GroupLookupTests.name, file: path, on: bench.loop, queue: queue, log: messages.logger)
        }

        var notices: [String] { messages.texts }

        func setFile(_ text: String) throws { try folder.write(text, to: "group") }

        /// Returns the ids of the events up to now, after a call in progress, if any, has returned.
        func pendingResults() throws -> [UInt32?] {
            lookup.wait()
            try bench.runReady()
            return removedResults()
        }

        /// Waits for an event; returns the ids of all.
        func nextResults() throws -> [UInt32?] {
            try bench.run { !queue.isEmpty }
            return removedResults()
        }

        private func removedResults() -> [UInt32?] {
            var results: [UInt32?] = []
            while let event = queue.popFirst() {
                guard case .trustedGroup(let number) = event else {
                    Issue.record("unexpected event \(event)")
                    continue
                }
                results.append(number)
            }
            return results
        }
    }

    @Test func `a group that appears in the file during a lookup gives its id, and no later result`() throws {
        let test = try Lookup(file: "")
        try test.setFile(Self.entry)
        test.lookup.start()
        #expect(try test.pendingResults() == [994])
        #expect(test.notices.isEmpty)
    }

    @Test func `a group that the file lists gives one event per lookup, without a call on a thread`() throws {
        let test = try Lookup(file: Self.entry)
        #expect(try test.pendingResults() == [994])
        try test.setFile("\(Self.name):x:995:\n")
        test.lookup.start()
        #expect(try test.pendingResults() == [995])
        #expect(test.notices.isEmpty)
    }

    @Test func `a group that no database has gives nil at each lookup, and is logged once`() throws {
        let test = try Lookup(file: "")
        #expect(try test.nextResults() == [nil])
        test.lookup.start()
        #expect(try test.nextResults() == [nil])
        #expect(test.notices.count == 1)
    }

    @Test func `a group that was removed from the file gives nil, and is logged at each removal`() throws {
        let test = try Lookup(file: Self.entry)
        for count in 1...2 {
            #expect(try test.nextResults() == [994])
            try test.setFile("")
            test.lookup.start()
            #expect(try test.nextResults() == [nil])
            #expect(test.notices.count == count)
            try test.setFile(Self.entry)
            test.lookup.start()
        }
    }

    @Test func `a group is found in the file between other groups, comments and invalid lines`() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("group")
        let others = (0..<200).map { "group\($0):x:\(1_000 + $0):anna,ben" }
        try
            (others + [
                "# orientation:x:7:", "", "orientation", "orientation:x:none:", "orientation:x:994:anna", "last:x:1:",
            ])
            .joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        #expect(GroupLookup.findInFile("orientation", path: path) == 994)
        #expect(GroupLookup.findInFile("last", path: path) == 1)
    }

    @Test func `a group that the file does not list is not found`() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("group")
        try "orientationd:x:993:\norient:x:1:\n".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(GroupLookup.findInFile("orientation", path: path) == nil)
        #expect(GroupLookup.findInFile("orientation", path: folder.path("missing")) == nil)
        #expect(GroupLookup.findInFile("orientation", path: folder.path("")) == nil)
    }

    @Test func `a group with more members than the buffer holds ends the search`() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("group")
        let members = (0..<2_000).map { "user\($0)" }.joined(separator: ",")
        try "users:x:100:\(members)\norientation:x:994:\n".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(GroupLookup.findInFile("orientation", path: path) == nil)
    }
}
