// SPDX-License-Identifier: Apache-2.0

import Glibc
import Posix
import Systemd
import SystemdTestSupport
import Testing

@testable import OrientationDaemon
@testable import Sensors

@Suite struct SensorCoreWatchTests {
    /// A socket with datagrams of the name service of node 1.
    private final class FakeSocket: CoreSocket {
        let node: UInt32 = 1
        var descriptor: Int32 { signal.descriptor }
        private let signal: WakeSignal
        private var queue: [[UInt8]] = []
        private(set) var sent = 0

        init() throws { signal = try WakeSignal() }

        func queue(_ datagram: [UInt8]) {
            queue.append(datagram)
            signal.set()
        }

        func send(_ bytes: [UInt8], to address: QRTRAddress) throws(Errno) { sent += 1 }

        func receive() throws(Errno) -> (bytes: ArraySlice<UInt8>, source: QRTRAddress)? {
            signal.clear()
            guard !queue.isEmpty else { return nil }
            return (queue.removeFirst()[...], QRTRAddress(node: 1, port: 0xFFFF_FFFE))
        }
    }

    private let bench: LoopBench
    private let queue = EventQueue()
    private let shared = SharedCoreList()

    init() throws { bench = try LoopBench() }

    private func watch(
        isAlwaysOn: Bool, _ open: @escaping () throws(Errno) -> any CoreSocket
    ) -> SensorCoreWatch {
        SensorCoreWatch(
            CoreConnection(types: [.accelerometer], permitsLocal: false), isAlwaysOn: isAlwaysOn, shared: shared,
            loop: bench.loop, queue: queue, log: Logger { _, _ in }, openSocket: open)
    }

    private var changes: Int {
        var count = 0
        while let event = queue.popFirst() { if case .devicesChanged = event { count += 1 } }
        return count
    }

    @Test func `without a DSP no socket is opened`() {
        var opens = 0
        let watch = watch(isAlwaysOn: false) { () throws(Errno) in
            opens += 1
            throw Errno(EAFNOSUPPORT)
        }
        #expect(opens == 0 && shared.value == nil && changes == 0)
        withExtendedLifetime(watch) {}
    }

    @Test func `without AF_QIPCRTR the state has the reason, and another attempt follows`() throws {
        let watch = watch(isAlwaysOn: true) { () throws(Errno) in throw Errno(EAFNOSUPPORT) }
        #expect(shared.value?.state == .noSocket(Errno(EAFNOSUPPORT).description))
        try bench.runReady()
        #expect(changes == 1 && bench.loop.runningTimers == 1)
        withExtendedLifetime(watch) {}
    }

    @Test func `a state that changes without end is no event each time`() throws {
        let socket = try FakeSocket()
        let watch = watch(isAlwaysOn: true) { () throws(Errno) in socket }
        socket.queue([4] + [UInt8](repeating: 0, count: 19))
        // A process of node 1 that starts and ends.
        for index in 0..<60 {
            socket.queue([index % 2 == 0 ? 4 : 5, 0, 0, 0, 0x90, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 17, 0, 0, 0])
        }
        socket.queue([4, 0, 0, 0, 0x90, 1, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 17, 0, 0, 0])
        try bench.run { shared.value?.state == .connecting }
        #expect(changes == 20)
        withExtendedLifetime(watch) {}
    }

    @Test func `a failing read of the DSP's properties leaves the other sensors as they are, and is tried again`() {
        var core = CoreList()
        func read(
            _ machine: @escaping () throws(SystemError) -> HardwareFacts = { () throws(SystemError) in HardwareFacts() }
        ) -> HardwareFacts {
            .readingMachine(core: core, machine: machine) { () throws(SystemError) in
                throw SystemError(operation: "read", code: EIO)
            }
        }
        #expect(read().coreFailure == nil && read().core == core)
        core.sensors = [
            CoreSensor(
                type: .accelerometer, uid: .lookUp, server: QRTRAddress(node: 9, port: 17), id: "accel0",
                attributes: CoreAttributes())
        ]
        #expect(read().failure == nil && read().coreFailure != nil)
        let failed = read { () throws(SystemError) in throw SystemError(operation: "read", code: EIO) }
        #expect(failed.failure != nil && failed.core == core)
    }

    @Test func `a change of the state is an event, and nothing wakes while there is no core`() throws {
        let socket = try FakeSocket()
        let watch = watch(isAlwaysOn: true) { () throws(Errno) in socket }
        #expect(socket.sent == 1 && shared.value?.state == .searching)
        // The end of the list of servers.
        socket.queue([4] + [UInt8](repeating: 0, count: 19))
        try bench.run { shared.value?.state == .noService }
        try bench.runReady()
        #expect(changes == 1 && bench.loop.runningTimers == 0)
        withExtendedLifetime(watch) {}
    }
}
