// SPDX-License-Identifier: Apache-2.0

/// What a view outside any controller turns with.
public enum RotationReference: Hashable, Sendable {
    /// The device's edge, whatever the interface does.
    case device
    /// The status bar: the interface of the key window.
    case statusBar
    /// Nothing: it stays in this orientation.
    case fixed(InterfaceOrientation)
}

extension View {
    /// Turns this view with the device or with the status bar from now on, or to a fixed orientation; nil stops.
    ///
    /// Its centre stays, width and height of its bounds swap in the landscapes, its transform is that of the
    /// orientation. Nothing else turns with it. The view counts as upright portrait when this is first called.
    public func follow(_ reference: RotationReference?) {
        self.reference = reference
        followReference()
        window?.application?.updateGenerating()
    }

    /// Brings this view, and all in it that follow something, to where they should be.
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
        guard orientation != .unknown, orientation != referenceOrientation else { return }
        let swaps = orientation.isLandscape != referenceOrientation.isLandscape
        referenceOrientation = orientation
        transform = orientation.transform
        if swaps { bounds.size = bounds.size.swapped }
        window?.drawAtRest()
    }

    /// Whether this view, or one in it, follows the device.
    var followsDevice: Bool { reference == .device || subviews.contains(where: \.followsDevice) }
}
