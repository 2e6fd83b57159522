// SPDX-License-Identifier: Apache-2.0

public import InterfaceRotation
public import OrientationModel

extension Device {
    /// Follows the daemon: orientation, last edge and the user's lock.
    ///
    /// The daemon's sensor runs only while notifications are generated. Without a connection the orientation is unknown,
    /// which turns nothing, and the monitor reconnects. An error after which reconnecting cannot succeed goes to
    /// ``InterfaceRotation/Application/orientationFailureHandler``.
    ///
    /// Updates arrive on the main actor: the program must drain Dispatch's main queue, as `dispatchMain()`, `RunLoop` and an
    /// asynchronous `main` do.
    @MainActor public func follow(_ monitor: OrientationMonitor) {
        source = MonitorSource(monitor)
    }

    /// Follows a simulation: for previews and tests, without a daemon.
    @MainActor public func follow(_ simulation: OrientationSimulation) {
        source = simulation
    }
}

/// Iterates a monitor while notifications are generated.
@MainActor private final class MonitorSource: DeviceOrientationSource {
    private let monitor: OrientationMonitor
    private var task: Task<Void, Never>?

    init(_ monitor: OrientationMonitor) { self.monitor = monitor }

    func startUpdating(_ device: Device) {
        task?.cancel()
        task = Task { [monitor, weak device] in
            do {
                for try await update in monitor.updates {
                    // A cancelled task may still receive an update that was buffered before.
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

    func stopUpdating(_ device: Device) {
        task?.cancel()
        task = nil
    }

    isolated deinit { task?.cancel() }
}

/// A simulated device.
@MainActor public final class OrientationSimulation: DeviceOrientationSource {
    private weak var device: Device?
    private var orientation: DeviceOrientation
    private var lockedEdge: Edge?
    private var lastEdge: Edge?
    private var isLocked = false

    /// Makes a simulation with its first orientation.
    public init(_ orientation: DeviceOrientation = .portrait) {
        self.orientation = orientation
        lastEdge = Edge(orientation)
    }

    /// Turns the device. Takes effect while notifications are generated.
    public func turn(to orientation: DeviceOrientation) {
        self.orientation = orientation
        lastEdge = Edge(orientation) ?? lastEdge
        sendState()
    }

    /// Closes the user's lock, at an edge or at the present one.
    public func lock(to edge: Edge? = nil) {
        isLocked = true
        lockedEdge = edge ?? lastEdge
        sendState()
    }

    /// Opens the user's lock.
    public func unlock() {
        isLocked = false
        lockedEdge = nil
        sendState()
    }

    /// Starts; called by the device.
    public func startUpdating(_ device: Device) {
        self.device = device
        sendState()
    }

    /// Stops; called by the device.
    public func stopUpdating(_ device: Device) { self.device = nil }

    private func sendState() {
        device?.update(
            OrientationState(
                orientation: orientation, lastEdge: lastEdge, isLocked: isLocked, lockedTo: lockedEdge, sequence: 1,
                instance: "simulation"))
    }
}
