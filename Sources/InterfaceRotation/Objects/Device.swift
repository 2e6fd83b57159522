// SPDX-License-Identifier: Apache-2.0

public import OrientationModel

/// A change of how the device is held, as an app sees it.
public struct DeviceOrientationChange: Hashable, Sendable {
    /// Before.
    public let old: DeviceOrientation
    /// Now.
    public let new: DeviceOrientation
}

/// What can tell a device how it is held: a daemon's monitor, a simulator. It runs only while somebody wants to know.
@MainActor public protocol DeviceOrientationSource: AnyObject {
    /// Somebody wants to know: call `update` on the device from now on.
    func startUpdating(_ device: Device)
    /// Nobody wants to know any more.
    func stopUpdating(_ device: Device)
}

/// The hardware, as far as its orientation goes. It is fed by calls, so it works without a daemon too.
@MainActor public final class Device {
    /// Posted for each change while somebody generates, unless the user's lock is closed. Observers hear of it
    /// before the interface turns.
    public let orientationDidChange = Announcement<DeviceOrientationChange>()

    /// The orientations that this device can show at all.
    public private(set) var supportedInterfaceOrientations = InterfaceOrientationMask.all

    /// The user's rotation lock.
    public private(set) var userLock = OrientationCircumstances.UserLock.open

    /// Who feeds this device; it is started and stopped with the first and the last generator.
    public var source: (any DeviceOrientationSource)? {
        didSet {
            guard oldValue !== source, isGeneratingDeviceOrientationNotifications else { return }
            oldValue?.stopUpdating(self)
            source?.startUpdating(self)
        }
    }

    weak var application: Application?
    /// The last edge that was up as the app sees it: an override's before the device's own.
    var lastEdge: Edge? { overrideEdge ?? readEdge }
    private var readEdge: Edge?
    private var overrideEdge: Edge?
    private var reading = DeviceOrientation.unknown
    private var override: DeviceOrientation?
    private var generators = 0
    private(set) var isPosting = false
    private var waiting: [() -> Void] = []
    private var chained = 0

    /// How many changes in a row may be made by observers of the one before; what two observers do to each other
    /// must come to an end.
    public static var maximumChainedChanges: Int { 16 }

    /// Makes a device that is open in every direction and of which nothing is known yet.
    public init() {}

    /// Rules out what is not in the mask, for every app and every window.
    public func setSupportedInterfaceOrientations(
        _ mask: InterfaceOrientationMask
    ) throws(EmptyDeviceMaskError) {
        guard !mask.isEmpty else { throw EmptyDeviceMaskError() }
        supportedInterfaceOrientations = mask
        application?.everybodyMayHaveChanged()
    }
}

// MARK: - What an app reads

extension Device {
    /// How the device is held, as the app sees it: the locked orientation while the user's lock is closed, else an
    /// override, else the newest reading; unknown while nobody generates and before the first reading.
    public var orientation: DeviceOrientation {
        guard isGeneratingDeviceOrientationNotifications else { return .unknown }
        if case .closed(let edge) = userLock { return edge.map { DeviceOrientation($0) } ?? .unknown }
        return override ?? reading
    }

    /// The edge that rules go by: the locked one, else the one that is up, else the last that was; nil before the first.
    public var edge: Edge? {
        if case .closed(let edge) = userLock { return edge }
        return Edge(orientation) ?? lastEdge
    }

    /// The edge that a new one is compared with. Resetting an override tells nobody that the device's own is back, so the
    /// next reading does.
    private var toldEdge: Edge? { userLock == .open ? lastEdge : edge }

    /// Whether somebody wants to know how the device is held.
    public var isGeneratingDeviceOrientationNotifications: Bool { generators > 0 }

    /// Asks for readings and notifications. Calls nest; each needs its ``endGeneratingDeviceOrientationNotifications()``.
    public func beginGeneratingDeviceOrientationNotifications() {
        generators += 1
        if generators == 1 { source?.startUpdating(self) }
    }

    /// Takes back one call of ``beginGeneratingDeviceOrientationNotifications()``. After the last the orientation is
    /// unknown; one too many is ignored with a warning.
    public func endGeneratingDeviceOrientationNotifications() {
        guard generators > 0 else {
            return StandardError.write(
                "endGeneratingDeviceOrientationNotifications() without begin… is ignored; remove the call")
        }
        generators -= 1
        guard generators == 0 else { return }
        reading = .unknown
        source?.stopUpdating(self)
    }

    var orientationSource: OrientationCircumstances.Source { override == nil ? .reading : .override }
}

// MARK: - What feeds it

extension Device {
    /// A reading. It counts only while somebody generates; one that is equal to the last is not posted.
    public func update(_ orientation: DeviceOrientation) {
        change {
            $0.read(orientation)
            return .ifChanged
        }
    }

    /// A state of the daemon: orientation, last edge and the user's lock, as one change.
    public func update(_ state: OrientationState) {
        change {
            $0.saw(state.lastEdge)
            $0.read(state.orientation)
            $0.userLock = state.isLocked ? .closed(at: state.lockedTo ?? $0.edge) : .open
            return .ifChanged
        }
    }

    /// Closes the user's lock at an edge, or at the present one. Nothing is posted.
    public func lock(to edge: Edge? = nil) {
        change {
            $0.userLock = .closed(at: edge ?? $0.edge)
            return .ifChanged
        }
    }

    /// Opens the user's lock; the interface follows the device at once.
    public func unlock() {
        change {
            $0.userLock = .open
            return .ifChanged
        }
    }

    /// Lets the device seem to be held so, until ``clearOverride()``: for simulators, tests, accessibility tools.
    ///
    /// The same value again has no effect, unless `unknown`, which posts nothing, was set in between.
    public func overrideOrientation(_ orientation: DeviceOrientation) {
        change {
            guard $0.override != orientation else { return .never }
            if orientation == .unknown {
                $0.override = nil
                return .never
            }
            $0.overrideEdge = Edge(orientation) ?? $0.lastEdge
            $0.override = orientation
            return .always
        }
    }

    /// Lets the readings through again, and with them the last edge of the device itself.
    public func clearOverride() {
        change {
            $0.override = nil
            $0.overrideEdge = nil
            return .ifChanged
        }
    }

    /// A source cannot go on: nothing is known any more, and the application's failure handler hears of the error.
    public func sourceFailed(_ error: any Error) {
        update(.unknown)
        guard let application else { return StandardError.write("\(error)") }
        application.report(error)
    }

    private func read(_ orientation: DeviceOrientation) {
        guard isGeneratingDeviceOrientationNotifications else { return }
        reading = orientation
        saw(Edge(orientation))
    }

    /// The device's own last edge. It ends that of an override which was reset.
    private func saw(_ edge: Edge?) {
        guard let edge else { return }
        readEdge = edge
        if override == nil { overrideEdge = nil }
    }

    /// Whether observers are told of a change.
    private enum Telling { case ifChanged, always, never }

    /// One change from outside: the value, the observers in their order, then the engine. A change that an observer
    /// makes waits until all have heard of this one.
    private func change(_ mutate: @escaping (Device) -> Telling) {
        guard !isPosting else {
            return waiting.append { [weak self] in self?.change(mutate) }
        }
        defer { runWaiting() }
        let (old, oldEdge, wasLocked) = (orientation, toldEdge, userLock != .open)
        let telling = mutate(self)
        let (new, isForced) = (orientation, telling == .always)
        guard userLock == .open, telling != .never else {
            // Views that follow the device go by the locked edge.
            application?.windows.forEach { $0.followReference() }
            if oldEdge == nil, edge != nil, userLock != .open { application?.lockToldFirstEdge() }
            return
        }
        let isNewEdge = Edge(new) != nil && (toldEdge != oldEdge || isForced)
        let isTold = (new != old || isForced) && isGeneratingDeviceOrientationNotifications
        isPosting = true
        application?.deviceWillTell(isNewEdge: isNewEdge)
        if isTold { orientationDidChange.post(DeviceOrientationChange(old: old, new: new)) }
        isPosting = false
        application?.deviceDidTell(isNewEdge: isNewEdge, lockOpened: wasLocked)
    }

    private func runWaiting() {
        guard !waiting.isEmpty else { return }
        guard chained < Self.maximumChainedChanges else {
            waiting = []
            return StandardError.write(
                "observers of orientationDidChange keep changing the orientation; the last change is ignored")
        }
        chained += 1
        defer { chained -= 1 }
        waiting.removeFirst()()
    }
}

/// A device that can show nothing at all.
public struct EmptyDeviceMaskError: Error, Hashable, CustomStringConvertible {
    /// What to change, for a person.
    public var description: String {
        "a device mask without any orientation leaves nothing for any app; name at least one"
    }
}
