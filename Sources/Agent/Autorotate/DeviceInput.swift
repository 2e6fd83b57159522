// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import OrientationModel
internal import OrientationRules

/// What is known of the device since the daemon is followed.
struct DeviceInput: Sendable {
    /// The newest state; nil before the first.
    var newest: OrientationState?
    /// The newest state that is not delayed; nil before the first.
    private(set) var settled: OrientationState?
    /// The last edge that was up.
    private(set) var lastEdge: Edge?
    /// The transform of the edge, or of the lock, that the device asked for last.
    var requested: OutputTransform?
    /// The transform that it asks for, until the delay ends.
    var delayed: OutputTransform?

    /// Whether the display follows the edge of the device: it does not lie flat, and is not locked.
    var isHeldUpright: Bool { settled.map { !$0.isLocked && Edge($0.orientation) != nil } ?? false }

    /// Records a state that is not delayed; returns whether edges have other names than before.
    mutating func settle(_ state: OrientationState) -> Bool {
        let isRenamed = settled.map { $0.natural != state.natural } ?? false
        if isRenamed { lastEdge = nil }
        settled = state
        lastEdge = Edge(state.orientation) ?? lastEdge
        return isRenamed
    }

    /// Forgets all but the last edge.
    mutating func forget() { (newest, settled, requested, delayed) = (nil, nil, nil, nil) }
}
