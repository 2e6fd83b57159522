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
        _ sequence: Int, _ orientation: DeviceOrientation, edge: Edge? = nil, locked: Edge? = nil
    ) -> OrientationState {
        OrientationState(
            orientation: orientation, lastEdge: edge ?? Edge(orientation), isLocked: locked != nil, lockedTo: locked,
            sequence: sequence, instance: "a")
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

    @Test func `R18: an app that connects while the sensor starts turns with the first reading`() async throws {
        let starting = OrientationState(
            orientation: .unknown, lastEdge: .landscapeLeft, isLocked: false, lockedTo: nil, sequence: 8, instance: "a")
        let daemon = try StubDaemon(at: directory.socket, state: starting)
        let application = Application(
            screen: Screen(size: Size(width: 100, height: 200)), frameClock: ManualFrameClock())
        application.device.follow(OrientationMonitor(socketPath: directory.socket))
        let window = Window(application: application)
        try window.setRootViewController(ViewController())
        try window.makeKeyAndVisible()
        // The last edge has arrived; only a reading turns the interface.
        while application.device.edge == nil { await Task.yield() }
        #expect(window.interfaceOrientation == .portrait)
        daemon.publish(state(9, .landscapeLeft))
        while application.device.orientation == .unknown { await Task.yield() }
        #expect(window.interfaceOrientation == .landscapeRight)
    }

    @Test(arguments: [Edge.portrait, .landscapeLeft])
    func `R1: a daemon with any natural orientation leaves an upright laptop unrotated`(natural: Edge) async throws {
        let upright = OrientationState(
            orientation: DeviceOrientation(natural), lastEdge: natural, natural: natural, sequence: 1, instance: "a")
        let daemon = try StubDaemon(at: directory.socket, state: upright)
        let application = Application(
            screen: Screen(size: Size(width: 1920, height: 1080)), frameClock: ManualFrameClock())
        application.device.follow(OrientationMonitor(socketPath: directory.socket))
        let window = Window(application: application)
        try window.setRootViewController(ViewController())
        try window.makeKeyAndVisible()
        while application.device.orientation == .unknown { await Task.yield() }
        #expect(application.device.orientation == .landscapeLeft && window.interfaceOrientation == .landscapeRight)
        #expect(window.rootViewController?.view.transform == .identity && daemon.peerCount == 1)
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

    @Test func `R20: the rotation lock of the daemon locks the device at its orientation`() async throws {
        let daemon = try StubDaemon(at: directory.socket, state: state(1, .portrait))
        let device = Device()
        device.follow(OrientationMonitor(socketPath: directory.socket))
        var changes = device.orientationDidChange.values.makeAsyncIterator()
        device.beginGeneratingDeviceOrientationNotifications()
        #expect(await changes.next()?.new == .portrait)
        daemon.publish(state(2, .portrait, locked: .landscapeRight))
        while device.userLock == .off { await Task.yield() }
        #expect(device.orientation == .landscapeRight && device.edge == .landscapeRight)
        daemon.publish(state(3, .landscapeLeft, locked: .landscapeRight))
        daemon.publish(state(4, .landscapeLeft))
        let opened = await changes.next()
        #expect(opened?.old == .landscapeRight && opened?.new == .landscapeLeft)
    }

    @Test func `R34: a monitor in a loop that does not run the main queue is reported once, with the remedy`()
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
                errors = pipe.read
            }
            // Here the main queue runs: nothing is reported, then or later.
            let first = await served(directory.socket)
            // And here it does not, as in the loop of a toolkit.
            let lines = await unserved(directory.socket)
            print(lines)
            fflush(nil)
            withExtendedLifetime((daemon, first)) {}
        }
        let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(
            text.split(separator: "\n").filter { $0.contains("OrientationMonitor") } == [
                "InterfaceRotation: device.follow(OrientationMonitor()): no update for 2 s: Dispatch's main queue does "
                    + "not run; in the main loop of GLib, Qt, SDL or a game follow an OrientationConnection"
            ])
    }

    @Test func `R34: without the daemon the orientation is unknown until it reconnects`() async throws {
        var daemon: StubDaemon? = try StubDaemon(at: directory.socket, state: state(1, .landscapeLeft))
        #expect(daemon?.peerCount == 0)
        let device = Device()
        device.follow(OrientationMonitor(socketPath: directory.socket))
        var changes = device.orientationDidChange.values.makeAsyncIterator()
        device.beginGeneratingDeviceOrientationNotifications()
        #expect(await changes.next()?.new == .landscapeLeft)
        daemon = nil
        #expect(await changes.next()?.new == .unknown)
        #expect(device.edge == .landscapeLeft)
        daemon = try StubDaemon(at: directory.socket, state: state(1, .landscapeLeft))
        #expect(await changes.next()?.new == .landscapeLeft)
    }

    @Test func `R16: an error that reconnecting cannot resolve reaches the application's handler`() async throws {
        let device = Device()
        let clock = ManualFrameClock()
        let application = Application(
            device: device, screen: Screen(size: Size(width: 100, height: 200)), frameClock: clock)
        let (errors, continuation) = AsyncStream.makeStream(of: String.self)
        application.orientationFailureHandler = { continuation.yield("\($0)") }
        device.follow(OrientationMonitor(socketPath: "/" + String(repeating: "a", count: 200)))
        device.beginGeneratingDeviceOrientationNotifications()
        var received = errors.makeAsyncIterator()
        #expect(await received.next()?.isEmpty == false)
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
@MainActor private var errors: Int32 = -1

/// Returns a device that follows a daemon and has its first update.
@MainActor private func served(_ socket: String) async -> Device {
    let device = Device()
    device.follow(OrientationMonitor(socketPath: socket))
    var changes = device.orientationDidChange.values.makeAsyncIterator()
    device.beginGeneratingDeviceOrientationNotifications()
    _ = await changes.next()
    return device
}

/// Follows a daemon and blocks the main thread until a line is written to standard error; returns all that is written.
@MainActor private func unserved(_ socket: String) -> String {
    let device = Device()
    device.follow(OrientationMonitor(socketPath: socket))
    device.beginGeneratingDeviceOrientationNotifications()
    var descriptor = pollfd(fd: errors, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, Int32(stepTimeout * 1_000)) == 1 else { return "nothing in time" }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(errors, &bytes, bytes.count)
    return withExtendedLifetime(device) { String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) }
}
