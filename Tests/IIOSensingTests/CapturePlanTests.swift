// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import IIOSensing

@Suite struct CapturePlanTests {
    private var situation = CapturePlan.Situation()

    @Test func `a buffer with a trigger is captured from`() {
        #expect(CapturePlan(situation) == .capture(trigger: "own"))
    }

    @Test mutating func `its own trigger is attached where there is none, and a chip may need none`() {
        situation.trigger = .own("kxcjk1013-dev0")
        #expect(CapturePlan(situation) == .capture(trigger: "kxcjk1013-dev0"))
        situation.trigger = .unneeded
        #expect(CapturePlan(situation) == .capture(trigger: nil))
        situation.trigger = .missing
        #expect(CapturePlan(situation) == .poll(because: "nothing triggers its buffer"))
    }

    @Test mutating func `a buffer that runs is somebody else's, whatever a person says`() {
        situation.isBufferEnabled = true
        situation.policy = "1"
        #expect(CapturePlan(situation) == .poll(because: "another program is capturing from its buffer"))
    }

    @Test mutating func `no buffer is taken while iio-sensor-proxy runs, unless a person says so`() {
        situation.isProxyRunning = true
        #expect(
            CapturePlan(situation)
                == .poll(because: "iio-sensor-proxy is running, with which no buffer can be shared"))
        situation.policy = "1"
        #expect(CapturePlan(situation) == .capture(trigger: "own"))
    }

    @Test mutating func `a person can forbid it for one device`() {
        situation.policy = "0"
        #expect(CapturePlan(situation) == .poll(because: "udev ORIENTATIOND_BUFFER is 0"))
    }

    @Test mutating func `what could not be given back after a crash is not taken`() {
        situation.obstacle = "nowhere to note it"
        #expect(CapturePlan(situation) == .poll(because: "nowhere to note it"))
    }

    @Test mutating func `scans whose format is nonsense are not taken`() {
        situation.unsoundFormat = "le:s16/0>>0"
        situation.policy = "1"
        #expect(CapturePlan(situation) == .poll(because: "its buffer's format 'le:s16/0>>0' cannot be"))
    }

    @Test mutating func `a remote device and one without a buffer are polled`() {
        situation.hasScanElements = false
        #expect(CapturePlan(situation) == .poll(because: "it has no buffer"))
        situation.isLocal = false
        guard case .poll = CapturePlan(situation) else {
            Issue.record("a remote device is to be polled")
            return
        }
    }

    @Test func `stamps of the right clock are used from the first scan on`() {
        var clock = ScanClock(hasBootTime: true)
        #expect(clock.time(stamp: 99_990_000_000, arrival: 100) == 99.99)
        #expect(clock.time(stamp: 100_090_000_000, arrival: 105) == 100.09)
    }

    @Test func `stamps of another clock are never used, not even where they come near`() {
        var clock = ScanClock(hasBootTime: true)
        #expect(clock.time(stamp: 5_000_000_000, arrival: 100) == 100)
        #expect(clock.time(stamp: 101_000_000_000, arrival: 101.01) == 101.01)
        var without = ScanClock(hasBootTime: false)
        #expect(without.time(stamp: 99_990_000_000, arrival: 100) == 100)
    }
}
