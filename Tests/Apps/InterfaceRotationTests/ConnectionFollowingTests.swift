// SPDX-License-Identifier: Apache-2.0

import Glibc
import InterfaceRotation
import OrientationClient
import OrientationModel
import TestServer
import TestSupport
import Testing

/// A device that follows a connection: a synchronous main loop on the main actor.
@MainActor @Suite(.timeLimit(.minutes(10))) struct ConnectionFollowingTests {
    private let directory: TemporaryDirectory
    private let device = Device()

    init() throws { directory = try TemporaryDirectory() }

    private func state(
        _ sequence: Int, _ orientation: DeviceOrientation, locked: Edge? = nil
    ) -> OrientationState {
        OrientationState(
            orientation: orientation, lastEdge: Edge(orientation), isLocked: locked != nil, lockedTo: locked,
            sequence: sequence, instance: "a")
    }

    private func follow() throws -> OrientationConnection {
        let connection = try OrientationConnection(.daemon(socketPath: directory.socket))
        device.follow(connection)
        return connection
    }

    /// Runs a main loop that polls until a condition holds.
    private func run(_ connection: OrientationConnection, until condition: () -> Bool) throws {
        while !condition() {
            guard becomesReadable(connection.fileDescriptor) else {
                throw TestFailure("nothing in time")
            }
            device.processUpdates()
        }
    }

    @Test func `R34: the device follows a connection while notifications are generated`() throws {
        let daemon = try StubDaemon(at: directory.socket, state: state(1, .landscapeLeft))
        let connection = try follow()
        #expect(connection.isSuspended && !isReadable(connection.fileDescriptor))
        device.processUpdates()
        #expect(device.orientation == .unknown && daemon.peerCount == 0)
        device.beginGeneratingDeviceOrientationNotifications()
        try run(connection) { device.orientation == .landscapeLeft }
        daemon.publish(state(2, .portrait, locked: .landscapeRight))
        try run(connection) { device.orientation == .landscapeRight }
        daemon.publish(state(3, .portrait))
        try run(connection) { device.orientation == .portrait }
        device.endGeneratingDeviceOrientationNotifications()
        #expect(eventually { daemon.peerCount == 0 } && !isReadable(connection.fileDescriptor))
        device.beginGeneratingDeviceOrientationNotifications()
        try run(connection) { device.orientation == .portrait }
    }

    @Test func `R33: the descriptor becomes readable when the frames of a turn have stopped`() throws {
        let daemon = try StubDaemon(at: directory.socket, state: state(1, .portrait))
        let clock = StoppedClock()
        let application = Application(
            device: device, screen: Screen(size: Size(width: 100, height: 200)), frameClock: clock)
        let connection = try follow()
        let window = Window(application: application)
        try window.trySetRootViewController(ViewController())
        try window.tryMakeKeyAndVisible()
        try run(connection) { device.orientation == .portrait }
        clock.frame()
        daemon.publish(state(2, .landscapeLeft))
        try run(connection) { application.isRotating }
        // No frame and no message: only the timer wakes the loop.
        try run(connection) { !application.isRotating }
        #expect(window.interfaceOrientation == .landscapeRight && !isReadable(connection.fileDescriptor))
    }

    @Test func `R33: a connection that the device no longer follows does not wake its loop when frames have stopped`()
        throws
    {
        let clock = StoppedClock()
        let application = Application(
            device: device, screen: Screen(size: Size(width: 100, height: 200)), frameClock: clock)
        let daemon = try StubDaemon(at: directory.socket, state: state(1, .portrait))
        let first = try follow()
        let window = Window(application: application)
        try window.trySetRootViewController(ViewController())
        try window.tryMakeKeyAndVisible()
        try run(first) { device.orientation == .portrait }
        clock.frame()
        daemon.publish(state(2, .landscapeLeft))
        try run(first) { application.isRotating }
        let subscriptions = daemon.subscriptionCount
        let second = try follow()
        try run(second) { daemon.subscriptionCount > subscriptions }
        // Returns after the reply was written.
        _ = daemon.peerCount
        device.processUpdates()
        try run(second) { !application.isRotating }
        #expect(!isReadable(first.fileDescriptor) && first.isSuspended && !isReadable(second.fileDescriptor))
    }

    @Test func `R34: a connection whose device is deallocated is suspended, and does not wake its loop`() throws {
        let daemon = try StubDaemon(at: directory.socket, state: state(1, .portrait))
        let connection = try OrientationConnection(socketPath: directory.socket)
        do {
            let device = Device()
            device.follow(connection)
            device.beginGeneratingDeviceOrientationNotifications()
            while device.orientation != .portrait {
                guard becomesReadable(connection.fileDescriptor) else {
                    throw TestFailure("nothing in time")
                }
                device.processUpdates()
            }
        }
        #expect(
            connection.isSuspended && eventually { daemon.peerCount == 0 } && !isReadable(connection.fileDescriptor))
    }

    @Test func `R34: a device that follows something else releases the connection`() throws {
        let daemon = try StubDaemon(at: directory.socket, state: state(1, .portrait))
        let connection = try follow()
        device.beginGeneratingDeviceOrientationNotifications()
        try run(connection) { device.orientation == .portrait }
        device.follow(OrientationSimulation(.landscapeLeft))
        #expect(device.orientation == .landscapeLeft && connection.isSuspended)
        #expect(eventually { daemon.peerCount == 0 })
    }

    @Test func `R34: a device can follow the same connection again`() throws {
        let daemon = try StubDaemon(at: directory.socket, state: state(1, .landscapeLeft))
        let connection = try follow()
        device.beginGeneratingDeviceOrientationNotifications()
        try run(connection) { device.orientation == .landscapeLeft }
        weak let former = device.source
        device.follow(connection)
        #expect(former == nil && !connection.isSuspended)
        daemon.publish(state(2, .portrait))
        try run(connection) { device.orientation == .portrait }
    }

    @Test func `R34: updates that have arrived are discarded when an observer sets another source`() throws {
        let daemon = try StubDaemon(at: directory.socket, state: state(1, .landscapeLeft))
        let connection = try OrientationConnection(socketPath: directory.socket, buffering: .all(limit: 10))
        device.follow(connection)
        device.beginGeneratingDeviceOrientationNotifications()
        try run(connection) { device.orientation == .landscapeLeft }
        let simulation = OrientationSimulation(.portrait)
        device.orientationDidChange.addObserver(simulation) { [device] simulation, _ in device.follow(simulation) }
        daemon.publish(state(2, .landscapeRight))
        daemon.publish(state(3, .portraitUpsideDown))
        // Returns after both were written.
        _ = daemon.peerCount
        device.processUpdates()
        #expect(device.orientation == .portrait)
    }
}

/// A frame clock on which frames come only when a test draws one.
@MainActor private final class StoppedClock: FrameClock {
    private var requests: [@MainActor (Double) -> Void] = []
    func requestFrame(_ body: @escaping @MainActor (Double) -> Void) { requests.append(body) }
    func frame() {
        let due = requests
        requests = []
        for body in due { body(now) }
    }
}
