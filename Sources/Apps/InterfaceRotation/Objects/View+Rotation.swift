// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// The views that are resized while a container is laid out; without those that were resized with their superview.
@MainActor enum ResizedViews {
    private static var recorded: [View]?

    static func add(_ view: View) {
        guard recorded != nil else { return }
        recorded?.append(view)
    }

    /// Returns the views that are resized in `body`, the outermost only.
    static func during(_ body: () -> Void) -> [View] {
        let outer = recorded
        recorded = []
        body()
        let resized = recorded ?? []
        recorded = outer.map { $0 + resized }
        let all = Set(resized.map(ObjectIdentifier.init))
        var seen: Set<ObjectIdentifier> = []
        return resized.filter { view in
            var above = view.superview
            while let each = above, !all.contains(ObjectIdentifier(each)) { above = each.superview }
            return above == nil && seen.insert(ObjectIdentifier(view)).inserted
        }
    }
}

extension View {
    /// Removes the rotation of a window from a view that is not in it, or in a container.
    func removeRotation() {
        if reference == nil { rotation = DisplayRotation(.top) }
    }

    /// Whether width and height of the bounds are swapped in the superview.
    var swapsSides: Bool { transform.swapsSides != rotation.swapsSides }

    /// The rectangle of the superview that the view fills, but for what its transform scales, moves or tilts.
    var area: Rect {
        let size = swapsSides ? bounds.size.swapped : bounds.size
        return Rect(
            x: center.x - size.width / 2, y: center.y - size.height / 2, width: size.width, height: size.height)
    }

    /// Sets the center and the size of the bounds; the transform stays.
    func fill(_ area: Rect) {
        center = area.center
        bounds.size = swapsSides ? area.size.swapped : area.size
    }

    /// Applies ``autoresizingMask`` after the superview changed its size.
    func resize(from old: Size, to new: Size) {
        guard !autoresizingMask.isEmpty else { return }
        let here = area
        let across = Self.stretch(
            here.origin.x, here.size.width, old.width, new.width,
            [.flexibleLeftMargin, .flexibleWidth, .flexibleRightMargin].map(autoresizingMask.contains))
        let down = Self.stretch(
            here.origin.y, here.size.height, old.height, new.height,
            [.flexibleTopMargin, .flexibleHeight, .flexibleBottomMargin].map(autoresizingMask.contains))
        fill(Rect(x: across.start, y: down.start, width: across.extent, height: down.extent))
    }

    /// Distributes the difference among the flexible ones of margin, extent and margin in proportion to their size; evenly
    /// if all are 0. Without a flexible part the right or bottom margin changes.
    private static func stretch(
        _ start: Double, _ extent: Double, _ old: Double, _ new: Double, _ flexible: [Bool]
    ) -> (start: Double, extent: Double) {
        let parts = Array(zip(flexible, [start, extent, old - start - extent]))
        let pliable = parts.filter(\.0)
        let sum = pliable.reduce(0) { $0 + $1.1 }
        func share(_ part: (Bool, Double)) -> Double {
            guard part.0 else { return 0 }
            return (new - old) * (sum == 0 ? 1 / Double(pliable.count) : part.1 / sum)
        }
        return (start + share(parts[0]), max(0, extent + share(parts[1])))
    }
}

/// The orientation that a view outside any controller follows.
public enum RotationReference: Hashable, Sendable {
    /// The device's edge, independent of the interface.
    case device
    /// The status bar: the interface of the key window.
    case statusBar
    /// A fixed orientation.
    case fixed(InterfaceOrientation)
}

extension View {
    /// Turns this view with the device or with the status bar from now on, or to a fixed orientation; nil stops.
    ///
    /// Its center and its ``transform`` stay, its ``effectiveTransform`` gets the rotation of the orientation on the
    /// screen, and width and height of its bounds swap where the screen's do. Nothing else turns with it. When this is
    /// first called, the view counts as upright in the natural orientation of the screen; outside a window, in portrait.
    public func follow(_ reference: RotationReference?) {
        self.reference = reference
        followReference()
        window?.application?.updateGenerating()
    }

    /// Updates this view and its descendants to the references that they follow.
    func followReference() {
        for view in subviews { view.followReference() }
        guard let reference else { return }
        let application = window?.application
        switch reference {
        case .fixed(let orientation): turn(to: orientation)
        case .statusBar: turn(to: application?.statusBarOrientation ?? .unknown)
        case .device: turn(to: application?.device.edge.map { InterfaceOrientation($0) } ?? .unknown)
        }
    }

    private func turn(to orientation: InterfaceOrientation) {
        let new = DisplayRotation(orientation, on: window?.screenShape ?? .tall)
        guard orientation != .unknown, new != rotation else { return }
        if new.swapsSides != rotation.swapsSides { bounds.size = bounds.size.swapped }
        rotation = new
        window?.drawAtRest()
    }

    /// Whether this view, or one in it, follows the device.
    var followsDevice: Bool { reference == .device || subviews.contains(where: \.followsDevice) }
}
