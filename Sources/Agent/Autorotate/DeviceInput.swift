// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import OrientationModel
internal import OrientationRules

/// What is known of the device since the daemon is followed.
struct DeviceInput: Sendable {
    /// The newest state; nil before the first.
    var newest: OrientationState? { didSet { isLocked = newest?.isLocked ?? isLocked } }
    /// Whether the rotation lock is on, or was when it was known last.
    private(set) var isLocked = false
    /// The newest state that the display follows, not one in laptop mode; nil before the first.
    private(set) var settled: OrientationState?
    /// The last edge that was up.
    private(set) var lastEdge: Edge?
    /// The transform of the edge, or of the lock, that the device asked for last.
    var requested: OutputTransform?

    /// Whether the display follows the edge of the device: it does not lie flat, and is not locked.
    var isHeldUpright: Bool { settled.map { !$0.isLocked && Edge($0.orientation) != nil } ?? false }

    /// Records a state that the display follows; returns whether edges have other names than before.
    mutating func settle(_ state: OrientationState) -> Bool {
        let isRenamed = settled.map { $0.natural != state.natural } ?? false
        if isRenamed { lastEdge = nil }
        settled = state
        lastEdge = Edge(state.orientation) ?? lastEdge
        return isRenamed
    }

    /// Forgets all but the last edge and the lock.
    mutating func forget() { (newest, settled, requested) = (nil, nil, nil) }
}

extension AutorotatePolicy {
    mutating func handle(_ state: OrientationState) -> [Effect] {
        guard ending == .running, daemon != .unused else { return [] }
        let former = device.newest
        device.newest = state
        return daemonFound() + followDevice(after: former)
    }

    /// A keyboard was attached or detached.
    mutating func handle(_ new: Chassis?) -> [Effect] {
        guard new != chassis else { return [] }
        chassis = new
        return ending == .running ? followDevice(after: device.newest) : []
    }

    /// Rotates to the newest state, if the display follows the device in it.
    private mutating func followDevice(after former: OrientationState?) -> [Effect] {
        guard let state = device.newest else { return [] }
        guard settings.when.isActive(state, chassis) else {
            return (pose.isActive ? leaveTabletMode() : []) + reportLaptop(state)
        }
        if !pose.isActive { enterTabletMode() }
        let wanted = settings.transform(for: state)
        guard let wanted, wanted != device.requested else {
            if wanted != nil { request.state = state }
            return settle(state, after: former)
        }
        device.requested = wanted
        request.deviceTurned()
        record(state)
        return decide(.device(from: former, to: state), wanted: wanted)
    }

    /// Reports once that the device counts as a laptop, when its edge asks for a rotation: the daemon has found its tablet
    /// switches by then, and usually its lid angle.
    private mutating func reportLaptop(_ state: OrientationState) -> [Effect] {
        guard state.tabletMode == nil, let reason = chassis?.laptopReason, let output,
            let wanted = settings.transform(for: state), wanted != output.transform,
            !reported.contains(where: { $0.kind == .laptop })
        else { return [] }
        return once(.laptop(output.name, reason))
    }

    /// Records a state that asks for no other transform.
    private mutating func settle(_ state: OrientationState, after former: OrientationState?) -> [Effect] {
        let isFirst = device.settled == nil
        record(state)
        if isFirst, apps.isRestricting { return decide(.first(state)) }
        if isFirst { explain(.first(state)) }
        if former?.orientation != state.orientation || former?.isLocked != state.isLocked
            || former?.lockedTo != state.lockedTo
        {
            explain(.device(from: former, to: state))
        }
        return []
    }

    private mutating func record(_ state: OrientationState) {
        if device.settle(state) { apps.forgetOrientations() }
        apps.natural = natural
    }

    private mutating func enterTabletMode() {
        pose.enterTabletMode()
        request.enteredTabletMode()
        device.requested = nil
    }

    /// Restores the former rotation, once: one that the user sets in laptop mode stays.
    private mutating func leaveTabletMode() -> [Effect] {
        let former = pose.leaveTabletMode(of: output?.name)
        let effects = former.map { begin($0.transform) } ?? []
        if former == nil || request.pending == nil { leftTabletMode() }
        return effects
    }

    mutating func leftTabletMode() {
        pose = .laptop
        request.clear()
        device.requested = nil
    }
}
