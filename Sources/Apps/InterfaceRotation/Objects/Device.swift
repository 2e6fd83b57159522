// SPDX-License-Identifier: Apache-2.0

public import OrientationModel

/// A change of the device orientation, as an app sees it.
public struct DeviceOrientationChange: Hashable, Sendable {
    /// The orientation before the change.
    public let old: DeviceOrientation
    /// The orientation after the change.
    public let new: DeviceOrientation
}

/// A source of device orientations, such as the daemon or a simulation. It runs only while notifications are generated.
@MainActor public protocol DeviceOrientationSource: AnyObject {
    /// Starts the source: it calls `update` on the device from now on.
    func startUpdating(_ device: Device)
    /// Stops the source.
    func stopUpdating(_ device: Device)
    /// Calls `update` on the device for the readings that have arrived; called by ``Device/processUpdates()``. The
    /// default does nothing, for a source that calls `update` by itself.
    func processUpdates(of device: Device)
    /// Wakes the main loop after this time in seconds, once, to call ``Device/processUpdates()``; nil cancels
    /// it. The default does nothing.
    func wakeUp(_ device: Device, after seconds: Double?)
}

extension DeviceOrientationSource {
    /// Does nothing.
    public func processUpdates(of device: Device) {}
    /// Does nothing.
    public func wakeUp(_ device: Device, after seconds: Double?) {}
}

/// The orientation of the hardware. A ``source`` or the program itself updates it, so no daemon is needed.
///
/// The shape of the application's screen determines the names of the orientations (see ``Screen``). The daemon names
/// them by the natural orientation of the machine, which normally agrees. If it does not,
/// ``update(_:)-(OrientationState)`` keeps the edge of the panel and changes its name: if the daemon reports `portrait`
/// with the natural orientation `portrait`, the panel's top edge is up, which is `landscapeLeft` on a wide screen. An edge
/// without a name, as from iio-sensor-proxy, gets that of the screen.
@MainActor public final class Device {
    /// Posted for each change while notifications are generated, unless the user's lock is on. Observers are called
    /// before the interface turns.
    public let orientationDidChange = Observers<DeviceOrientationChange>()

    /// The orientations in which this device can show an interface.
    public private(set) var supportedInterfaceOrientations = InterfaceOrientationMask.all

    /// The user's rotation lock.
    public private(set) var userLock = OrientationCircumstances.UserLock.off {
        didSet {
            guard isOverriddenUnderLock, userLock != oldValue else { return }
            isOverriddenUnderLock = false
            if let readEdge { endOverride(ifNot: readEdge) }
        }
    }

    /// The source of readings; started with the first and stopped with the last request for notifications.
    public var source: (any DeviceOrientationSource)? {
        didSet {
            guard oldValue !== source else { return }
            oldValue?.wakeUp(self, after: nil)
            if isGeneratingDeviceOrientationNotifications {
                oldValue?.stopUpdating(self)
                source?.startUpdating(self)
            }
            application?.requestWakeUp()
        }
    }

    /// The natural orientation by which the device's orientations are named: the application's screen has it; before the
    /// device has an application, the newest state.
    public private(set) var natural = Edge.portrait
    /// Whether a state of the daemon has set the values: ``natural`` gives them their names.
    private var isNamedByState = false

    private(set) weak var application: Application?
    /// The last edge that was up, as the app sees it: an override's, else the device's own.
    var lastEdge: Edge? { overrideEdge ?? readEdge }
    private var readEdge: Edge?
    private var overrideEdge: Edge?
    /// The device's own edge while an override is set; a reading of another edge ends the override.
    private var overriddenEdge: Edge?
    private var reading = DeviceOrientation.unknown
    private var override: DeviceOrientation?
    /// Whether the override was set under the user's lock as it is now: it then counts instead of the locked edge.
    private var isOverriddenUnderLock = false
    /// The edge of the last counted reading or granted request. A last edge that arrives without a reading does not
    /// change it.
    private var countedEdge: Edge?
    /// The number of new edges; turning the user's lock off counts as one. A request holds while it stays the same.
    private(set) var edgeCount = 0
    /// The program's requests for notifications. The interface's own is apart: a surplus `end` does not stop it.
    private var programRequests = 0
    private var isUsedByInterface = false
    private(set) var isPosting = false
    private var waiting: [() -> Void] = []
    private var isRunningWaiting = false

    /// The maximum number of consecutive changes that are each made by an observer of the previous one. It stops two
    /// observers that answer each other. Changes made by observers of the same change count once.
    public static var maximumChainedChanges: Int { 16 }

    /// Creates a device that supports all orientations and has no reading yet.
    public init() {}

    /// Takes the names of orientations from the screen of the application.
    func join(_ application: Application) {
        self.application = application
        let natural = application.screen.shape.natural
        if isNamedByState { rename(to: natural) }
        self.natural = natural
    }

    /// Applies the edge and the rotation lock of a state that is known before the first reading.
    func launch(in state: OrientationState) {
        isNamedByState = true
        let state = state.renamed(to: natural)
        setLastEdge(Edge(state.orientation) ?? state.lastEdge)
        if state.isLocked { lock(as: state) }
    }

    /// Renames what was read to another natural orientation. The edges of the panel are the same, so nothing turns.
    func rename(to new: Edge) {
        let old = natural
        guard new != old else { return }
        natural = new
        reading = reading.renamed(from: old, to: new)
        readEdge = readEdge?.renamed(from: old, to: new)
        overriddenEdge = overriddenEdge?.renamed(from: old, to: new)
        countedEdge = countedEdge?.renamed(from: old, to: new)
        // The lock stays on: its new name must not end an override.
        let isOverridden = isOverriddenUnderLock
        isOverriddenUnderLock = false
        if case .on(let edge?) = userLock { userLock = .on(at: edge.renamed(from: old, to: new)) }
        isOverriddenUnderLock = isOverridden
    }

    /// Restricts the interface to the orientations in the mask, for every window.
    public func setSupportedInterfaceOrientations(
        _ mask: InterfaceOrientationMask
    ) throws(EmptyDeviceMaskError) {
        guard !mask.isEmpty else { throw EmptyDeviceMaskError() }
        supportedInterfaceOrientations = mask
        application?.attemptRotationToDeviceOrientation()
    }
}

// MARK: - State

extension Device {
    /// The device orientation, as the app sees it: an override, else the locked orientation while the user's lock is on,
    /// else the newest reading; unknown while no notifications are generated and before the first reading. A lock that is
    /// turned on or moved hides an earlier override.
    public var orientation: DeviceOrientation {
        guard isGeneratingDeviceOrientationNotifications else { return .unknown }
        if let visibleOverride { return visibleOverride }
        if case .on(let edge) = userLock { return edge.map { DeviceOrientation($0) } ?? .unknown }
        return reading
    }

    /// The override that counts; nil if there is none, or the user's lock hides it.
    private var visibleOverride: DeviceOrientation? {
        userLock == .off || isOverriddenUnderLock ? override : nil
    }

    /// The edge on which decisions are based: that of ``orientation``, else the locked edge, else the last edge that was
    /// up; nil before the first.
    public var edge: Edge? {
        if case .on(let edge) = userLock, visibleOverride == nil { return edge }
        return Edge(orientation) ?? lastEdge
    }

    /// Whether readings and notifications are requested.
    public var isGeneratingDeviceOrientationNotifications: Bool { programRequests > 0 || isUsedByInterface }

    /// Requests readings and notifications. Calls nest; each needs its
    /// ``endGeneratingDeviceOrientationNotifications()``.
    public func beginGeneratingDeviceOrientationNotifications() {
        request(programRequests + 1, byInterface: isUsedByInterface)
    }

    /// Ends one call of ``beginGeneratingDeviceOrientationNotifications()``. After the last, and while no visible window
    /// can turn, the orientation is unknown. A surplus call is ignored with a warning.
    public func endGeneratingDeviceOrientationNotifications() {
        guard programRequests > 0 else {
            return StandardError.write(
                "endGeneratingDeviceOrientationNotifications: ignored: no matching begin…; remove the call")
        }
        request(programRequests - 1, byInterface: isUsedByInterface)
    }

    /// Requests readings for the interface, or ends its request.
    func request(byInterface isUsed: Bool) { request(programRequests, byInterface: isUsed) }

    private func request(_ count: Int, byInterface isUsed: Bool) {
        let wasGenerating = isGeneratingDeviceOrientationNotifications
        (programRequests, isUsedByInterface) = (count, isUsed)
        guard isGeneratingDeviceOrientationNotifications != wasGenerating else { return }
        guard wasGenerating else {
            source?.startUpdating(self)
            return
        }
        reading = .unknown
        source?.stopUpdating(self)
    }

    var orientationSource: OrientationCircumstances.Source { visibleOverride == nil ? .reading : .override }
}

// MARK: - Updates

extension Device {
    /// Sets a reading, with the name that it has on the application's screen. It is ignored while no notifications are
    /// generated, and posted only if it differs from the last.
    public func update(_ orientation: DeviceOrientation) { set { $0.read(orientation) } }

    /// Sets orientation, last edge and the user's lock from a state of the daemon, as one change. If the natural
    /// orientation of the state is not ``natural``, or is unknown, its edges get the names by ``natural``.
    public func update(_ state: OrientationState) {
        set {
            if $0.application == nil, let natural = state.natural { $0.rename(to: natural) }
            $0.isNamedByState = true
            $0.apply(state.renamed(to: $0.natural))
        }
    }

    /// Sets a state of a simulation, whose edges already have the names of this device.
    package func simulate(_ state: OrientationState) { set { $0.apply(state) } }

    /// Receives the readings that have arrived, and completes turns whose frames have stopped.
    ///
    /// For a main loop that watches the descriptor of the source: call it when the descriptor is readable, or once per
    /// frame. A source that calls `update` by itself needs no call.
    public func processUpdates() {
        source?.processUpdates(of: self)
        application?.completeStalledTurns()
    }

    private func apply(_ state: OrientationState) {
        setLastEdge(state.lastEdge)
        read(state.orientation)
        lock(as: state)
    }

    /// Turns the user's lock on or off. Without an edge of its own it holds the one that it held, or the device's: an
    /// override is the app's.
    private func lock(as state: OrientationState) {
        let held: Edge? = if case .on(let edge) = userLock { edge } else { readEdge }
        userLock = state.isLocked ? .on(at: state.lockedTo ?? held) : .off
    }

    /// Turns the user's lock on at an edge, by default the current one. Nothing is posted.
    public func lock(to edge: Edge? = nil) { set { $0.userLock = .on(at: edge ?? $0.edge) } }

    /// Turns the user's lock off. The interface follows the device immediately.
    public func unlock() { set { $0.userLock = .off } }

    /// Overrides the device's orientation: for simulators, tests and accessibility tools.
    ///
    /// It is posted and followed under the user's lock too, which stops only what the device does: an app's button for
    /// full screen is the user's wish as well. The app's own lock stops it.
    ///
    /// The override ends with ``clearOverride()``, or when the device turns to another edge than the one that was up
    /// when the override was set; if that happens under the user's lock, when the lock is turned off. Setting the same
    /// value again has no effect unless it was reset to `unknown` in between. Setting `unknown` posts nothing.
    public func overrideOrientation(_ orientation: DeviceOrientation) {
        change {
            guard $0.visibleOverride != orientation else { return .never }
            if orientation == .unknown {
                $0.override = nil
                return .never
            }
            $0.overrideEdge = Edge(orientation) ?? $0.edge
            if $0.visibleOverride == nil { $0.overriddenEdge = $0.readEdge }
            $0.override = orientation
            $0.isOverriddenUnderLock = $0.userLock != .off
            return .always
        }
    }

    /// Ends the override: readings and the device's own last edge count again, or the user's lock.
    public func clearOverride() {
        change {
            let (old, isLocked) = ($0.orientation, $0.userLock != .off)
            $0.endOverride()
            // An override that was visible under the lock ends as it began.
            return isLocked && $0.orientation != old ? .always : .ifChanged
        }
    }

    /// Reports that the source has failed: the orientation becomes unknown, and the error goes to the application's
    /// failure handler.
    public func sourceFailed(_ error: any Error) {
        update(.unknown)
        guard let application else { return StandardError.write("\(error)") }
        application.report(error)
    }

    private func read(_ orientation: DeviceOrientation) {
        guard isGeneratingDeviceOrientationNotifications else { return }
        reading = orientation
        setLastEdge(Edge(orientation))
        if let edge = Edge(orientation) { endOverride(ifNot: edge) }
    }

    /// Ends the override if the device has been turned to this edge, except under the lock that the override passes.
    private func endOverride(ifNot edge: Edge) {
        guard override != nil, !isOverriddenUnderLock else { return }
        if let overriddenEdge, edge != overriddenEdge { endOverride() } else { overriddenEdge = edge }
    }

    private func endOverride() {
        override = nil
        overrideEdge = nil
    }

    /// Sets the device's own last edge, which replaces the edge of an override that was reset.
    private func setLastEdge(_ edge: Edge?) {
        guard let edge else { return }
        readEdge = edge
        if override == nil { overrideEdge = nil }
    }

    /// Whether a change is posted. A program's own is always, also under the user's lock.
    private enum Posting { case ifChanged, always, never }

    /// Makes a change that is posted if the orientation differs.
    private func set(_ mutate: @escaping (Device) -> Void) {
        change {
            mutate($0)
            return .ifChanged
        }
    }

    /// Makes one change: sets the value, calls the observers in order of registration, then evaluates the windows. A
    /// change that an observer makes is deferred until all observers of this one have been called.
    private func change(_ mutate: @escaping (Device) -> Posting) {
        guard !isPosting else {
            return waiting.append { [weak self] in self?.change(mutate) }
        }
        defer { runWaiting() }
        application?.completeStalledTurns()
        let (old, wasLocked) = (orientation, userLock != .off)
        let posting = mutate(self)
        guard posting == .always || userLock == .off && posting == .ifChanged else {
            // Views that follow the device follow the locked edge.
            application?.windows.forEach { $0.followReference() }
            if userLock != .off, edge != nil { application?.lockHoldsEdge() }
            return
        }
        let (new, isForced, lockTurnedOff) = (orientation, posting == .always, wasLocked && userLock == .off)
        let followed = edgeToFollow
        let isForcedEdge = isForced && Edge(new) != nil
        if isForcedEdge || lockTurnedOff || (followed != nil && followed != countedEdge) {
            countedEdge = edge
            edgeCount += 1
        }
        let isPosted = (new != old || isForced) && isGeneratingDeviceOrientationNotifications
        isPosting = true
        if let followed {
            application?.deviceWillPost(followed, isForced: isForcedEdge, isReading: isPosted && Edge(new) != nil)
        }
        if isPosted { orientationDidChange.post(DeviceOrientationChange(old: old, new: new)) }
        isPosting = false
        application?.deviceDidPost(lockTurnedOff: lockTurnedOff)
    }

    /// The edge for which windows are evaluated that have not followed it yet. A flat device has the edge that was up
    /// last, and a reading confirms it. Without a reading (`unknown`) a last edge may be old: the reading that follows
    /// decides.
    private var edgeToFollow: Edge? { orientation == .unknown ? nil : edge }

    /// Counts new edges from the edge of a granted request.
    func requestWasGranted() { countedEdge = edge }

    /// Makes the changes that observers requested, round by round: each round has the changes that the previous one
    /// caused.
    private func runWaiting() {
        guard !isRunningWaiting else { return }
        isRunningWaiting = true
        defer { isRunningWaiting = false }
        var rounds = 0
        while !waiting.isEmpty {
            guard rounds < Self.maximumChainedChanges else {
                waiting = []
                return StandardError.write(
                    "orientationDidChange: \(rounds) changes in a row were each made by an observer of the one before; "
                        + "the last is ignored: do not change the orientation in every observer")
            }
            rounds += 1
            let round = waiting
            waiting = []
            for change in round { change() }
        }
    }
}

extension OrientationState {
    /// Returns the same state with the names of another natural orientation.
    fileprivate func renamed(to new: Edge) -> OrientationState {
        var state = self
        state.natural = new
        guard let natural else {
            // The edge of the panel has no name yet.
            state.lastEdge = lastPanelEdge.map { Edge($0, natural: new) }
            if !orientation.isFlat { state.orientation = state.lastEdge.map { DeviceOrientation($0) } ?? .unknown }
            return state
        }
        state.orientation = orientation.renamed(from: natural, to: new)
        state.lastEdge = lastEdge?.renamed(from: natural, to: new)
        state.lockedTo = lockedTo?.renamed(from: natural, to: new)
        return state
    }
}

/// The device mask is empty.
public struct EmptyDeviceMaskError: Error, Hashable, CustomStringConvertible {
    /// The cause and the remedy.
    public var description: String {
        "device mask: invalid value: no orientation; name at least one"
    }
}
