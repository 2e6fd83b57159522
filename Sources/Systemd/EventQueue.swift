// SPDX-License-Identifier: Apache-2.0

/// Events that were not handled yet, first in, first out. Event sources append to it; one dispatcher handles them after
/// each callback of the loop.
///
///     let queue = EventQueue<Event>()
///     queue.append(.timer)
///     while let event = queue.popFirst() { … }
package final class EventQueue<Event> {
    private var events: ContiguousArray<Event> = []
    private var next = 0

    package init() {}

    package var isEmpty: Bool { next == events.count }

    package func append(_ event: Event) { events.append(event) }

    /// Removes and returns the oldest event; nil if there is none.
    package func popFirst() -> Event? {
        guard next < events.count else {
            if next > 0 {
                // Not removeAll(keepingCapacity:), which is not specialized here: it costs more than the allocation.
                events = []
                next = 0
            }
            return nil
        }
        defer { next += 1 }
        return events[next]
    }
}
