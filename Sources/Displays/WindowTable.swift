// SPDX-License-Identifier: Apache-2.0

/// A window as a display server describes it; the properties take effect together.
nonisolated struct WindowProperties: Hashable {
    var appID: String?
    var instance: String?
    var isFocused = false
    var state = FrontWindow.State.normal
    /// The window that this one is a dialog of.
    var parent: UInt64?
    /// The names of the outputs that show the window, in the order in which it came to them.
    var outputs: [String] = []
}

/// The windows of a display server, of which one is in front: a value without I/O.
///
/// A dialog stands for the window that it belongs to: the front window is its topmost parent.
nonisolated struct WindowTable {
    private var windows: [UInt64: Window] = [:]
    private var focusCount: UInt64 = 0

    private struct Window {
        var properties: WindowProperties
        /// Increases with each window that receives the focus.
        var focusNumber: UInt64 = 0
    }

    /// The number of parents that are followed: windows that are parents of each other end there.
    static let parentDepth = 8

    /// Adds or changes a window.
    mutating func update(_ id: UInt64, _ properties: WindowProperties) {
        var window = windows[id] ?? Window(properties: WindowProperties())
        if properties.isFocused, !window.properties.isFocused {
            focusCount += 1
            window.focusNumber = focusCount
        }
        window.properties = properties
        windows[id] = window
    }

    mutating func remove(_ id: UInt64) {
        windows[id] = nil
    }

    /// The window with the focus. With several, of several seats, the one that received it last.
    var front: FrontWindow? {
        let focused = windows.filter(\.value.properties.isFocused)
        guard let id = focused.max(by: { $0.value.focusNumber < $1.value.focusNumber })?.key else { return nil }
        let top = topmostParent(of: id)
        guard let properties = windows[top]?.properties else { return nil }
        return FrontWindow(
            id: top, appID: properties.appID, instance: properties.instance, state: properties.state,
            output: properties.outputs.last)
    }

    private func topmostParent(of id: UInt64) -> UInt64 {
        var top = id
        for _ in 0..<Self.parentDepth {
            guard let parent = windows[top]?.properties.parent, windows[parent] != nil else { break }
            top = parent
        }
        return top
    }
}

nonisolated extension FrontWindow {
    /// The app ID or class in the text of a display server; nil if it is empty or too long.
    static func name(_ text: String) -> String? {
        text.isEmpty || text.utf8.count > maximumNameLength ? nil : text
    }
}
