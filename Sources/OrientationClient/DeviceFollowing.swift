// SPDX-License-Identifier: Apache-2.0

public import InterfaceRotation
public import OrientationModel

extension Device {
    /// Lets the daemon say how this device is held: orientation, last edge and the user's lock.
    ///
    /// The daemon's sensor runs only while somebody generates. While the daemon is not there the orientation is unknown,
    /// which turns nothing; it is looked for by itself. An error after which no further attempt could succeed goes where
    /// the app hears of errors without a caller: ``InterfaceRotation/Application/orientationFailureHandler``.
    @MainActor public func follow(_ monitor: OrientationMonitor) {
        source = MonitorSource(monitor)
    }

    /// Lets a simulation say how this device is held: for previews and tests, without a daemon.
    @MainActor public func follow(_ simulation: OrientationSimulation) {
        source = simulation
    }
}

/// Iterates a monitor while it is wanted.
@MainActor private final class MonitorSource: DeviceOrientationSource {
    private let monitor: OrientationMonitor
    private var task: Task<Void, Never>?

    init(_ monitor: OrientationMonitor) { self.monitor = monitor }

    func startUpdating(_ device: Device) {
        task?.cancel()
        task = Task { [monitor, weak device] in
            do {
                for try await update in monitor.updates {
                    // A cancelled task may still be handed what had arrived before.
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

/// A device that is held as the program says.
@MainActor public final class OrientationSimulation: DeviceOrientationSource {
    private weak var device: Device?
    private var orientation: DeviceOrientation
    private var lockedEdge: Edge?
    private var lastEdge: Edge?
    private var isLocked = false

    /// Makes a simulation that is held so from the beginning.
    public init(_ orientation: DeviceOrientation = .portrait) {
        self.orientation = orientation
        lastEdge = Edge(orientation)
    }

    /// Holds the device so from now on. It is heard of while somebody generates.
    public func turn(to orientation: DeviceOrientation) {
        self.orientation = orientation
        lastEdge = Edge(orientation) ?? lastEdge
        tell()
    }

    /// Closes the user's lock, at an edge or at the present one.
    public func lock(to edge: Edge? = nil) {
        isLocked = true
        lockedEdge = edge ?? lastEdge
        tell()
    }

    /// Opens the user's lock.
    public func unlock() {
        isLocked = false
        lockedEdge = nil
        tell()
    }

    /// Somebody wants to know.
    public func startUpdating(_ device: Device) {
        self.device = device
        tell()
    }

    /// Nobody wants to know any more.
    public func stopUpdating(_ device: Device) { self.device = nil }

    private func tell() {
        device?.update(
            OrientationState(
                orientation: orientation, lastEdge: lastEdge, isLocked: isLocked, lockedTo: lockedEdge, sequence: 1,
                instance: "simulation"))
    }
}
