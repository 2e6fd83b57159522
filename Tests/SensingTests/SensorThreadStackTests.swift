// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestSupport
import Testing

@testable import Sensing

/// The memory of the sensor thread's stack.
@Suite struct SensorThreadStackTests {
    @Test func `the stack that opening and scanning used is released before the next reading`() throws {
        let source = MeasuringSource()
        let kind = SourceKind(
            scheme: "test", takesAddress: false,
            open: { _, _ throws(SensorFailure) in
                source.useStack()
                return source
            },
            scan: { _, _ throws(SensorFailure) in
                source.useStack()
                return [source.info]
            })
        let uri = try SensorURI(parsing: "test", table: [kind])
        let thread = try SensorThread()
        thread.start(SensorRequest(uri: uri, facts: HardwareFacts(), mayResume: true), run: 1)
        #expect(try #require(source.releasedMemory()) >= 300)
        thread.scan(uri, facts: HardwareFacts(), request: 1)
        #expect(try #require(source.releasedMemory()) >= 300)
        thread.stop()
    }
}

/// A source that measures the stack of the sensor thread at each reading. Unchecked: the semaphore orders all uses.
private final class MeasuringSource: Accelerometer, @unchecked Sendable {
    let info = SensorDescription(id: "test", name: "measuring")
    let supportsBackpressure = false
    private let measured = DispatchSemaphore(value: 0)
    /// The memory of the stack after it was used, in KiB; nil after the next reading.
    private var used: Int?
    /// The memory that was released until that reading, in KiB.
    private var released: Int?

    /// Waits for the first reading after a use of the stack; returns the memory that was released before it, in KiB.
    func releasedMemory() -> Int? {
        measured.wait(timeout: .now() + stepTimeout) == .success ? released : nil
    }

    /// Uses 400 KiB of the stack or more.
    func useStack() {
        #expect(Self.useStack(frames: 100) == 100)
        used = Self.stackSize()
    }

    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep {
        if let used {
            released = Self.stackSize().map { used - $0 }
            self.used = nil
            measured.signal()
        }
        return .pause(seconds: 3_000)
    }

    /// Uses at least 4 KiB of the stack per frame; returns the number of frames.
    @inline(never) private static func useStack(frames: Int) -> Int {
        let frame: [4_096 of UInt8] = .init { UInt8(truncatingIfNeeded: $0 + frames) }
        return frames == 0
            ? 0 : useStack(frames: frames - 1) + (frame[frames] == UInt8(truncatingIfNeeded: 2 * frames) ? 1 : 0)
    }

    /// The memory of the 512 KiB of this thread's stack below its current frame, in KiB; nil if they are not mapped.
    private static func stackSize() -> Int? {
        let page = sysconf(Int32(_SC_PAGESIZE))
        var here = 0
        let address = withUnsafePointer(to: &here) { UInt(bitPattern: $0) } / UInt(page) * UInt(page)
        var pages = [UInt8](repeating: 0, count: 512 * 1_024 / page)
        let lowest = UnsafeMutableRawPointer(bitPattern: address - UInt(pages.count * page))
        guard let lowest, mincore(lowest, pages.count * page, &pages) == 0 else { return nil }
        return pages.count { $0 & 1 == 1 } * page / 1_024
    }
}
