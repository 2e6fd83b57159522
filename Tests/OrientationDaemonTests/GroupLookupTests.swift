// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import OrientationDaemon

@Suite struct GroupLookupTests {
    @Test func `the lookup of a group returns its id, or nil if it does not exist`() throws {
        #expect(try GroupLookup.find("root").get() == 0)
        #expect(try GroupLookup.find("no-such-group-here").get() == nil)
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
