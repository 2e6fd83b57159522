// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationDaemon

@Suite struct TabletSwitchTests {
    private var state = TabletSwitchState()

    @Test mutating func `a device that the scan finds is reported, and each change of its switch`() {
        #expect(state.devicesChanged() == [.scan])
        #expect(state.scanned(.init(isTablet: false)) == [.report(false)])
        #expect(state.switched(isTablet: false) == [])
        #expect(state.switched(isTablet: true) == [.report(true)])
        #expect(state.switched(isTablet: nil) == [.report(nil)])
    }

    @Test mutating func `changes during a scan without a result cause one more scan`() {
        #expect(state.devicesChanged() == [.scan])
        #expect(state.devicesChanged() == [])
        #expect(state.devicesChanged() == [])
        #expect(state.scanned(nil) == [.scan])
        #expect(state.scanned(nil) == [])
        #expect(state.devicesChanged() == [.scan])
    }

    @Test mutating func `changes while a device is open cause no scan`() {
        _ = state.devicesChanged()
        #expect(state.devicesChanged() == [])
        #expect(state.scanned(.init(isTablet: true)) == [.report(true)])
        #expect(state.devicesChanged() == [])
    }

    @Test mutating func `a disconnected device is closed before its mode is forgotten, and a scan follows`() {
        _ = state.devicesChanged()
        _ = state.scanned(.init(isTablet: true))
        #expect(state.disconnected() == [.close, .report(nil), .scan])
        #expect(state.scanned(nil) == [])
    }

    @Test mutating func `the next change of devices repeats a scan that could not start`() {
        _ = state.devicesChanged()
        state.scanFailed()
        #expect(state.devicesChanged() == [.scan])
    }
}
