// SPDX-License-Identifier: Apache-2.0

import Foundation
import Posix
import Testing

@testable import Sensors

/// An event node, with a pipe instead of the kernel's.
@Suite struct EventNodeTests {
    @Test func `a device that sends without end does not occupy the caller`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        try #require(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        let (node, writer) = (EventNode(owning: try OwnedDescriptor(ends[0])), ends[1])
        defer { close(writer) }
        let event = [UInt8](repeating: 0, count: EventNode.Event.size)
        var count = 0
        // Each event that is read is followed by another one.
        for _ in 0..<64 { write(writer, event, event.count) }
        let isPresent = node.drain { _ in
            count += 1
            if count < 100_000 { write(writer, event, event.count) }
        }
        #expect(isPresent && count >= 64 && count < 100_000)
        // The rest is read by the next call.
        #expect(node.drain { _ in count += 1 } && count > 64)
    }
}
