// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Displays

/// The choice of the front window, and the names of X11 windows.
@Suite struct WindowTableTests {
    @Test func `of several windows with a focus, the last one that received it is in front`() {
        var table = WindowTable()
        table.update(1, WindowProperties(appID: "a", isFocused: true))
        table.update(2, WindowProperties(appID: "b", isFocused: true))
        table.update(1, WindowProperties(appID: "c", isFocused: true))
        #expect(table.front?.appID == "b")
        table.remove(2)
        #expect(table.front?.appID == "c")
    }

    @Test func `a window belongs to the output that it came to first, until it leaves that for another one`() {
        var table = WindowTable()
        func show(_ outputs: [String]) -> String? {
            table.update(1, WindowProperties(appID: "film", isFocused: true, state: .fullscreen, outputs: outputs))
            return table.front?.output
        }
        #expect(show([]) == nil)
        #expect(show(["eDP-1"]) == "eDP-1")
        // It fills an output that was rotated, and has its former size.
        #expect(show(["eDP-1", "HDMI-A-1"]) == "eDP-1")
        #expect(show(["HDMI-A-1", "eDP-1"]) == "eDP-1")
        #expect(show([]) == "eDP-1")
        #expect(show(["HDMI-A-1"]) == "HDMI-A-1")
        #expect(show(["HDMI-A-1", "eDP-1"]) == "HDMI-A-1")
        table.removeOutput("HDMI-A-1")
        #expect(table.front?.output == "eDP-1")
        table.removeOutput("eDP-1")
        #expect(table.front != nil && table.front?.output == nil)
    }

    @Test func `a dialog stands for its topmost parent, as far as it exists`() {
        var table = WindowTable()
        table.update(1, WindowProperties(appID: "a", state: .fullscreen))
        table.update(2, WindowProperties(appID: "a", parent: 1))
        table.update(3, WindowProperties(appID: "a", isFocused: true, parent: 2))
        #expect(table.front?.id == 1)
        table.remove(1)
        #expect(table.front?.id == 2)
        table.update(2, WindowProperties(appID: "a", parent: 3))
        #expect(table.front != nil)
    }

    @Test func `a property WM_CLASS has an instance and a class`() {
        func names(_ text: String) -> [String?] {
            let names = X11FrontWindow.names(in: Array(text.utf8))
            return [names.instance, names.className]
        }
        #expect(names("navigator\0firefox\0") == ["navigator", "firefox"])
        #expect(names("\0Firefox\0") == [nil, "Firefox"])
        #expect(names("") == [nil, nil])
        // Cut off, and without a class.
        #expect(names("navigator\0fire") == ["navigator", nil])
        #expect(names("navigator\0") == ["navigator", nil])
        #expect(names("a\0b\0c\0") == ["a", "b"])
        #expect(X11FrontWindow.names(in: [0xe9, 0, 0xe9, 0]).className == "é")
    }
}
