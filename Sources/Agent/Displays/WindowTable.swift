// SPDX-License-Identifier: Apache-2.0

/// A window as a display server describes it; the properties take effect together.
struct WindowProperties: Hashable {
    var appID: String?
    var instance: String?
    var isFocused = false
    var state = FrontWindow.State.normal
    /// The window that this one is a dialog of.
    var parent: UInt64?
    /// The names of the outputs that show the window, in the order in which it came to them.
    var outputs: [String] = []
    var isMinimized = false

    var fillsOutput: Bool { state > .normal && !isMinimized }
}

/// The windows of a display server, of which one is in front: a value without I/O.
///
/// A dialog stands for the window that it belongs to: the front window is its topmost parent.
struct WindowTable {
    private var windows: [UInt64: Window] = [:]
    private var focusCount: UInt64 = 0
    /// The window that was in front last; nil once it was closed or hidden.
    private var latest: UInt64?
    /// Whether a window that fills its output remains in front while no window has the focus, as while a launcher has it. The
    /// owner must then call ``workspaceChanged()``.
    var keepsFront = false

    private struct Window {
        var properties: WindowProperties
        /// Increases with each window that receives the focus.
        var focusNumber: UInt64 = 0
        /// The output that the window belongs to: the first one that it came to, until it leaves that for another one. After a
        /// rotation, a window that fills its output also covers a part of the next one until it has its new size; and sway
        /// 1.10 lets a full-screen window leave and enter its output with each frame.
        var output: String?

        mutating func updateOutput() {
            if let output, properties.outputs.isEmpty || properties.outputs.contains(output) { return }
            output = properties.outputs.first
        }
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
        window.updateOutput()
        windows[id] = window
        latest = focused ?? latest
    }

    mutating func remove(_ id: UInt64) {
        windows[id] = nil
        if latest == id { latest = nil }
        latest = focused ?? latest
    }

    /// An output was withdrawn: it shows no window.
    mutating func removeOutput(_ name: String) {
        for (id, old) in windows {
            var window = old
            window.properties.outputs.removeAll { $0 == name }
            if window.output == name { window.output = window.properties.outputs.first }
            windows[id] = window
        }
    }

    /// Another workspace is shown: without the focus, the last window is hidden.
    mutating func workspaceChanged() { latest = focused }

    /// The window with the focus, or the last one that had it.
    var front: FrontWindow? {
        guard let top = latest, let window = windows[top] else { return nil }
        let properties = window.properties
        guard focused == top || keepsFront && properties.fillsOutput else { return nil }
        return FrontWindow(
            id: top, appID: properties.appID, instance: properties.instance, state: properties.state,
            output: window.output)
    }

    /// The window with the focus. With several, of several seats, the one that received it last.
    private var focused: UInt64? {
        let focused = windows.filter(\.value.properties.isFocused)
        return focused.max { $0.value.focusNumber < $1.value.focusNumber }.map { topmostParent(of: $0.key) }
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

extension FrontWindow {
    /// The app ID or class in the text of a display server; nil if it is empty or too long.
    static func name(_ text: String) -> String? {
        text.isEmpty || text.utf8.count > maximumNameLength ? nil : text
    }
}
