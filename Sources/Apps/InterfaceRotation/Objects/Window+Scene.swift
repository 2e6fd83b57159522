// SPDX-License-Identifier: Apache-2.0

/// A window is its own scene.
public typealias WindowScene = Window

/// Decides the orientations of one window and observes its geometry: the form of iOS 26 and 27. ``ApplicationDelegate``
/// has the older form.
@MainActor public protocol WindowSceneDelegate: AnyObject {
    /// The orientations that the app allows in this window, queried in every decision. An implementation *replaces* the
    /// answer of the application's delegate and the manifest, and may allow more. The default leaves the answer to them.
    func supportedInterfaceOrientations(for windowScene: WindowScene) -> InterfaceOrientationMask

    /// Called after ``Window/effectiveGeometry`` has changed: in a turn when the interface has its new orientation and the
    /// animation begins.
    func windowScene(
        _ windowScene: WindowScene, didUpdateEffectiveGeometry previousEffectiveGeometry: WindowScene.Geometry)
}

extension WindowSceneDelegate {
    /// Leaves the answer to the application's delegate, the manifest and the idiom.
    public func supportedInterfaceOrientations(for windowScene: WindowScene) -> InterfaceOrientationMask {
        windowScene.application?.declined.scene = ObjectIdentifier(self)
        return windowScene.application?.supportedInterfaceOrientations(for: windowScene) ?? .all
    }

    /// Has no effect.
    public func windowScene(
        _ windowScene: WindowScene, didUpdateEffectiveGeometry previousEffectiveGeometry: WindowScene.Geometry
    ) {}
}

extension Window {
    /// The state of a window that its delegate observes.
    public struct Geometry: Hashable, Sendable {
        /// The orientation of the interface.
        public let interfaceOrientation: InterfaceOrientation
        /// Whether the app's own lock keeps the orientation.
        public let isInterfaceOrientationLocked: Bool
        /// Whether the user is resizing the window.
        public let isInteractivelyResizing: Bool
    }

    /// The current geometry.
    public var effectiveGeometry: Geometry {
        Geometry(
            interfaceOrientation: interfaceOrientation, isInterfaceOrientationLocked: isInterfaceOrientationLocked,
            isInteractivelyResizing: isInteractivelyResizing)
    }

    /// The window itself.
    public var windowScene: WindowScene? { self }

    /// Calls the delegate if the geometry has changed since the last call. Returns whether it was called.
    @discardableResult
    func announceGeometry() -> Bool {
        guard let delegate, let old = announcedGeometry, effectiveGeometry != old else { return false }
        announcedGeometry = effectiveGeometry
        inCallbacks { delegate.windowScene(self, didUpdateEffectiveGeometry: old) }
        return true
    }

    /// The orientations that a request allows.
    public struct GeometryPreferences: Sendable {
        let interfaceOrientations: InterfaceOrientationMask

        /// Creates a request for one of these orientations.
        public static func iOS(interfaceOrientations: InterfaceOrientationMask) -> Self {
            Self(interfaceOrientations: interfaceOrientations)
        }
    }

    /// Requests one of the orientations, as ``requestGeometryUpdate(interfaceOrientations:)`` does. A refusal goes to
    /// `errorHandler`, also if the request was deferred; without one to ``Application/orientationFailureHandler``.
    ///
    ///     window.requestGeometryUpdate(.iOS(interfaceOrientations: .landscape)) { print($0) }
    public func requestGeometryUpdate(
        _ preferences: GeometryPreferences, errorHandler: (@MainActor (any Error) -> Void)? = nil
    ) {
        do { try request(preferences.interfaceOrientations, refused: errorHandler) } catch {
            if let errorHandler { return errorHandler(error) }
            Self.reporting(in: self) { throw error }
        }
    }
}
