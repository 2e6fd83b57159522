// SPDX-License-Identifier: Apache-2.0

import Glibc
import InterfaceRotation
import OrientationClient
import OrientationModel
import TestServer
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(10))) struct DeviceFollowingTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func state(
        _ sequence: Int, _ orientation: DeviceOrientation, edge: Edge? = nil
    ) -> OrientationState {
        OrientationState(
            orientation: orientation, lastEdge: edge ?? Edge(orientation), sequence: sequence, instance: "a")
    }

    @Test func `R34: the device follows the daemon while notifications are generated`() async throws {
        let daemon = try StubDaemon(at: directory.socket, state: state(1, .faceUp, edge: .landscapeLeft))
        let device = Device()
        device.follow(OrientationMonitor(socketPath: directory.socket))
        #expect(device.orientation == .unknown && daemon.peerCount == 0)
        var changes = device.orientationDidChange.values.makeAsyncIterator()
        device.beginGeneratingDeviceOrientationNotifications()
        #expect(await changes.next()?.new == .faceUp)
        #expect(device.edge == .landscapeLeft && daemon.peerCount == 1)
        daemon.publish(state(2, .portrait))
        #expect(await changes.next()?.new == .portrait)
        device.endGeneratingDeviceOrientationNotifications()
        while daemon.peerCount > 0 { await Task.yield() }
        #expect(device.orientation == .unknown)
    }

    @Test func `R34: a simulation has the names of the application's screen`() throws {
        let simulation = OrientationSimulation(.landscapeLeft)
        let application = Application(
            screen: Screen(size: Size(width: 1920, height: 1080)), frameClock: ManualFrameClock())
        application.device.follow(simulation)
        application.device.beginGeneratingDeviceOrientationNotifications()
        #expect(application.device.orientation == .landscapeLeft)
        simulation.lock(to: .portrait)
        #expect(application.device.orientation == .portrait)
    }

    @Test func `R34: a monitor whose main queue does not run is reported once in a process, with the remedy`()
        async throws
    {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let directory = try TemporaryDirectory()
            let state = OrientationState(orientation: .portrait, lastEdge: .portrait, sequence: 1, instance: "a")
            let daemon = try StubDaemon(at: directory.socket, state: state)
            try await MainActor.run {
                var pipe: (read: Int32, write: Int32) = (-1, -1)
                let isOpen = withUnsafeMutableBytes(of: &pipe) { Glibc.pipe($0.bindMemory(to: Int32.self).baseAddress) }
                try #require(isOpen == 0 && dup2(pipe.write, STDERR_FILENO) >= 0)
                errorPipe = pipe.read
            }
            // Here the main queue runs, and here the source is replaced before it does: nothing is reported.
            let first = await served(directory.socket)
            print(await errors(within: 2.5))
            print(try await replaced(directory.socket))
            print("nothing before")
            // And here it does not run, as in the loop of a toolkit.
            print(await unserved(directory.socket))
            fflush(nil)
            withExtendedLifetime((daemon, first)) {}
        }
        let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(
            lines.filter { $0.contains("OrientationMonitor") || $0.contains("nothing") } == [
                "nothing before",
                "InterfaceRotation: device.follow(OrientationMonitor()): no update for 2 s: the main thread is busy, or its "
                    + "loop does not run Dispatch's main queue; in the main loop of GLib, Qt, SDL or a game follow an "
                    + "OrientationConnection",
            ])
    }

    @Test func `R34: a device follows a simulation without a daemon`() throws {
        let simulation = OrientationSimulation(.landscapeLeft)
        let device = Device()
        device.follow(simulation)
        #expect(device.orientation == .unknown)
        device.beginGeneratingDeviceOrientationNotifications()
        #expect(device.orientation == .landscapeLeft)
        simulation.lock()
        simulation.turn(to: .portrait)
        #expect(device.orientation == .landscapeLeft)
        simulation.unlock()
        #expect(device.orientation == .portrait)
        simulation.turn(to: .faceUp)
        #expect(device.edge == .portrait)
        device.endGeneratingDeviceOrientationNotifications()
        simulation.turn(to: .landscapeRight)
        #expect(device.orientation == .unknown)
        device.beginGeneratingDeviceOrientationNotifications()
        #expect(device.orientation == .landscapeRight)
    }
}

/// The end of the pipe that has replaced standard error.
@MainActor private var errorPipe: Int32 = -1

/// Returns a device that follows a daemon and has its first update.
@MainActor private func served(_ socket: String) async -> Device {
    let device = Device()
    device.follow(OrientationMonitor(socketPath: socket))
    var changes = device.orientationDidChange.values.makeAsyncIterator()
    device.beginGeneratingDeviceOrientationNotifications()
    _ = await changes.next()
    return device
}

/// Blocks the main thread until something is written to standard error; returns it, or nothing after this time.
@MainActor private func errors(within seconds: Double) -> String {
    var descriptor = pollfd(fd: errorPipe, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, Int32(seconds * 1_000)) == 1 else { return "" }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(errorPipe, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}

/// Follows a daemon, replaces the source, and blocks the main thread; returns what is written.
@MainActor private func replaced(_ socket: String) throws -> String {
    let device = Device()
    device.follow(OrientationMonitor(socketPath: socket))
    device.beginGeneratingDeviceOrientationNotifications()
    device.follow(try OrientationConnection(socketPath: socket))
    return withExtendedLifetime(device) { errors(within: 2.5) }
}

/// Follows a daemon twice and blocks the main thread; returns what is written.
@MainActor private func unserved(_ socket: String) -> String {
    let device = Device()
    device.follow(OrientationMonitor(socketPath: socket))
    device.beginGeneratingDeviceOrientationNotifications()
    let first = errors(within: stepTimeout)
    device.endGeneratingDeviceOrientationNotifications()
    device.beginGeneratingDeviceOrientationNotifications()
    return withExtendedLifetime(device) { first + errors(within: 2.5) }
}
