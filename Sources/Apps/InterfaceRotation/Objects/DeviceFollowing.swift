// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
@_exported public import OrientationClient
public import OrientationModel

extension Device {
    /// Follows the daemon: orientation, last edge and rotation lock.
    ///
    /// If the daemon and the application's screen have different natural orientations, as on a machine with two
    /// displays, the shape of the screen decides: ``Device/orientation`` has another name than the daemon's, for the same
    /// edge of the panel.
    ///
    /// The daemon's sensor runs only while notifications are generated. Without a connection the orientation is
    /// unknown, which rotates nothing, and the monitor reconnects. An error that reconnecting cannot resolve is passed
    /// to ``Application/orientationFailureHandler``.
    ///
    /// Updates arrive on the main actor: the program must run Dispatch's main queue, as `dispatchMain()`, `RunLoop` and
    /// an asynchronous `main` do. In any other main loop no update ever arrives; there, follow an
    /// `OrientationConnection`. If that queue has not run for 2 s, one line on standard error says so.
    @MainActor public func follow(_ monitor: OrientationMonitor) {
        source = MonitorSource(monitor)
    }

    /// Follows the daemon in any main loop, without a task, a thread or Dispatch:
    ///
    ///     let connection = try OrientationConnection()
    ///     device.follow(connection)
    ///     // when connection.fileDescriptor is readable, or once per frame: device.processUpdates()
    ///
    /// The rest is as with a monitor: the connection is suspended while no notifications are generated, and an error that
    /// reconnecting cannot resolve is passed to ``Application/orientationFailureHandler``. The descriptor
    /// also becomes readable when a turn has to be completed because its frames have stopped.
    ///
    /// - Parameter connection: A connection of this device alone: do not call its `process()`.
    @MainActor public func follow(_ connection: OrientationConnection) {
        source = ConnectionSource(connection)
    }

    /// Follows a simulation instead of the daemon, for previews and tests.
    @MainActor public func follow(_ simulation: OrientationSimulation) {
        source = simulation
    }
}

/// Writes one line, when it is first read in the process.
private let noUpdateReport: Void = StandardError.write(
    "device.follow(OrientationMonitor()): no update for 2 s: the main thread is busy, or its loop does not run "
        + "Dispatch's main queue; in the main loop of GLib, Qt, SDL or a game follow an OrientationConnection")

/// Iterates a monitor while notifications are generated.
@MainActor private final class MonitorSource: DeviceOrientationSource {
    private let monitor: OrientationMonitor
    private var task: Task<Void, Never>?
    private var watchdog: (any DispatchSourceTimer)?

    init(_ monitor: OrientationMonitor) { self.monitor = monitor }

    func startUpdating(_ device: Device) {
        stop()
        let watchdog = DispatchSource.makeTimerSource(queue: .global())
        watchdog.schedule(deadline: .now() + 2)
        watchdog.setEventHandler { @Sendable in noUpdateReport }
        watchdog.resume()
        self.watchdog = watchdog
        task = Task { [monitor, weak device] in
            watchdog.cancel()
            do {
                for try await update in monitor.updates {
                    // A cancelled task may still receive a buffered update.
                    guard !Task.isCancelled, let device else { return }
                    switch update {
                    case .state(let state): device.update(state)
                    case .notConnected: device.update(.unknown)
                    }
                }
            } catch {
                if !Task.isCancelled { device?.sourceFailed(error) }
            }
        }
    }

    func stopUpdating(_ device: Device) { stop() }

    private func stop() {
        task?.cancel()
        watchdog?.cancel()
        (task, watchdog) = (nil, nil)
    }

    isolated deinit { stop() }
}

/// Processes a connection while notifications are generated.
@MainActor private final class ConnectionSource: DeviceOrientationSource {
    private let connection: OrientationConnection
    private var isUpdating = false
    private var hasWakeUp = false

    init(_ connection: OrientationConnection) {
        self.connection = connection
        connection.suspend()
    }

    func startUpdating(_ device: Device) {
        isUpdating = true
        connection.resume()
    }

    func stopUpdating(_ device: Device) {
        isUpdating = false
        connection.suspend()
    }

    // The caller may keep the connection in its main loop, and the device may have followed it again.
    isolated deinit {
        if hasWakeUp { connection.wakeUp(after: nil) }
        if isUpdating { connection.suspend() }
    }

    func processUpdates(of device: Device) {
        do {
            for update in try connection.process() {
                // An observer of the previous update may have set another source.
                guard device.source === self else { return }
                switch update {
                case .state(let state): device.update(state)
                case .notConnected: device.update(.unknown)
                }
            }
        } catch {
            device.sourceFailed(error)
        }
    }

    func wakeUp(_ device: Device, after seconds: Double?) {
        hasWakeUp = seconds != nil
        connection.wakeUp(after: seconds)
    }
}

/// A simulated device, for previews and tests. Its orientations are named by the application's screen.
///
///     let simulation = OrientationSimulation(.portrait)
///     application.device.follow(simulation)
///     simulation.turn(to: .landscapeLeft)
@MainActor public final class OrientationSimulation: DeviceOrientationSource {
    private weak var device: Device?
    private let natural: Edge
    private var orientation: DeviceOrientation
    private var lockedEdge: Edge?
    private var lastEdge: Edge?
    private var isLocked = false

    /// Creates a simulation with an initial orientation, of a device with a natural orientation: `landscapeLeft` for a
    /// wide panel.
    public init(_ orientation: DeviceOrientation = .portrait, natural: Edge = .portrait) {
        self.natural = natural
        self.orientation = orientation
        lastEdge = Edge(orientation)
    }

    /// Sets the orientation. The device receives it while notifications are generated.
    public func turn(to orientation: DeviceOrientation) {
        self.orientation = orientation
        lastEdge = Edge(orientation) ?? lastEdge
        sendState()
    }

    /// Sets the rotation lock to an edge, by default the current one.
    public func lock(to edge: Edge? = nil) {
        isLocked = true
        lockedEdge = edge ?? lastEdge
        sendState()
    }

    /// Releases the rotation lock.
    public func unlock() {
        isLocked = false
        lockedEdge = nil
        sendState()
    }

    /// Starts updates; called by the device.
    public func startUpdating(_ device: Device) {
        self.device = device
        sendState()
    }

    /// Stops updates; called by the device.
    public func stopUpdating(_ device: Device) { self.device = nil }

    private func sendState() {
        device?.simulate(
            OrientationState(
                orientation: orientation, lastEdge: lastEdge, natural: natural, isLocked: isLocked,
                lockedTo: lockedEdge, sequence: 1, instance: "simulation"))
    }
}
