// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationDaemon

@Suite struct TabletSwitchHandlerTests {
    private var handler = TabletSwitchHandler()

    /// Returns the effects of an event in words.
    private mutating func handle(_ event: TabletSwitchEvent) -> [String] {
        handler.handle(event).map { effect in
            switch effect {
            case .tabletSwitches(.scan): "scan"
            case .tabletSwitches(.close(let node)): "close \(node)"
            case .raise(.tabletSwitchChanged(let isTablet)): isTablet.map { $0 ? "tablet" : "laptop" } ?? "unknown"
            default: "\(effect)"
            }
        }
    }

    @Test mutating func `a switch that the scan finds is reported, and each change of it`() {
        #expect(handle(.devicesChanged) == ["scan"])
        #expect(handle(.scanned(["event5": false])) == ["laptop"])
        #expect(handle(.switched("event5", isClosed: false)) == [])
        #expect(handle(.switched("event5", isClosed: true)) == ["tablet"])
        #expect(handle(.switched("event5", isClosed: nil)) == ["unknown"])
    }

    @Test mutating func `the device is a tablet while one of two switches is closed`() {
        _ = handle(.devicesChanged)
        #expect(handle(.scanned(["event5": false, "event6": false])) == ["laptop"])
        #expect(handle(.switched("event6", isClosed: true)) == ["tablet"])
        #expect(handle(.switched("event5", isClosed: true)) == [])
        #expect(handle(.switched("event6", isClosed: false)) == [])
        #expect(handle(.switched("event5", isClosed: nil)) == ["laptop"])
    }

    @Test mutating func `a switch that appears beside an open one is added`() {
        _ = handle(.devicesChanged)
        _ = handle(.scanned(["event5": false]))
        #expect(handle(.devicesChanged) == ["scan"])
        #expect(handle(.scanned(["event6": true])) == ["tablet"])
        #expect(handle(.disconnected("event6")) == ["close event6", "laptop", "scan"])
    }

    @Test mutating func `changes during a scan cause one more scan`() {
        #expect(handle(.devicesChanged) == ["scan"])
        #expect(handle(.devicesChanged) == [])
        #expect(handle(.devicesChanged) == [])
        #expect(handle(.scanned([:])) == ["scan"])
        #expect(handle(.scanned([:])) == [])
        #expect(handle(.devicesChanged) == ["scan"])
    }

    @Test mutating func `a disconnected device is closed before its mode is forgotten, and a scan follows`() {
        _ = handle(.devicesChanged)
        _ = handle(.scanned(["event5": true]))
        #expect(handle(.disconnected("event5")) == ["close event5", "unknown", "scan"])
        #expect(handle(.scanned([:])) == [])
    }

    @Test mutating func `the next change of devices repeats a scan that could not start`() {
        _ = handle(.devicesChanged)
        _ = handle(.scanFailed)
        #expect(handle(.devicesChanged) == ["scan"])
    }
}
