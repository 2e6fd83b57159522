// SPDX-License-Identifier: Apache-2.0

/// A window that a compositor lists, with its objects.
final class ListedWindow {
    let id: UInt64
    var object: WaylandObject?
    /// COSMIC's object with the states.
    var details: WaylandObject?
    /// With wlr-foreign-toplevel-management they take effect with the next `done`.
    var properties = WindowProperties()

    fileprivate init(id: UInt64) { self.id = id }
}

/// The windows of a protocol, up to ``WaylandLimit/windows``.
struct ListedWindows {
    private(set) var all: [ListedWindow] = []
    private var count: UInt64 = 0

    /// Adds a window; nil beyond the limit.
    mutating func add() -> ListedWindow? {
        guard all.count < WaylandLimit.windows else { return nil }
        count += 1
        let window = ListedWindow(id: count)
        all.append(window)
        return window
    }

    mutating func remove(_ window: ListedWindow) { all.removeAll { $0 === window } }

    /// The number of the window with an object; nil without one.
    func id(of proxy: OpaquePointer?) -> UInt64? {
        proxy.flatMap { proxy in all.first { $0.object?.proxy == proxy }?.id }
    }
}
