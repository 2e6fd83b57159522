// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// A rectangle with its own coordinate system, and its subviews.
///
/// It has the parts of UIKit's `UIView` that rotation needs: geometry, hierarchy and autoresizing. It does not draw: a
/// subclass or the program's toolkit does.
@MainActor open class View {
    /// The parts of a view's frame that are resized with its superview; the others are fixed.
    public struct AutoresizingMask: OptionSet, Hashable, Sendable {
        /// One bit for each part.
        public let rawValue: UInt8
        /// Creates a mask from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The distance to the left side.
        public static let flexibleLeftMargin = Self(rawValue: 1)
        /// The width.
        public static let flexibleWidth = Self(rawValue: 2)
        /// The distance to the right side.
        public static let flexibleRightMargin = Self(rawValue: 4)
        /// The distance to the top.
        public static let flexibleTopMargin = Self(rawValue: 8)
        /// The height.
        public static let flexibleHeight = Self(rawValue: 16)
        /// The distance to the bottom.
        public static let flexibleBottomMargin = Self(rawValue: 32)
    }

    /// The view's own coordinate system. A new size resizes the subviews by their ``autoresizingMask``.
    public var bounds: Rect {
        didSet {
            guard bounds.size != oldValue.size else { return }
            ResizedViews.add(self)
            for view in subviews { view.resize(from: oldValue.size, to: bounds.size) }
        }
    }
    /// The center of the view in the coordinates of its superview.
    public var center: Point
    /// The program's own transform of the view about its ``center``; it reads what was set, in every orientation. A turn
    /// changes ``effectiveTransform`` only.
    public var transform = Transform.identity
    /// The parts of the frame that are resized with the superview.
    public var autoresizingMask: AutoresizingMask = []
    /// Whether the view and its subviews are not drawn. A hidden view is still in its window: its controller gets no
    /// appearance callbacks and keeps those of turns. Hiding a ``Window`` hides its controllers.
    open var isHidden = false
    /// The superview.
    public private(set) weak var superview: View?
    /// The subviews, rearmost first.
    public private(set) var subviews: [View] = []

    weak var controller: ViewController?
    var reference: RotationReference?
    /// The window that contains this view, not this view itself; set when the view enters or leaves it.
    private weak var containingWindow: Window?
    /// The rotation of the interface that a window applies to the view of a root or presented controller, or that of the
    /// followed reference.
    var rotation = DisplayRotation(.top)

    /// Creates a view with this frame in the coordinates of its superview.
    public init(frame: Rect = .zero) {
        bounds = Rect(size: frame.size)
        center = frame.center
    }

    /// The transform with which the view is drawn in its superview: its own ``transform``, and then the rotation of the
    /// interface in a view that a window turns, or of the reference in one that follows it with ``follow(_:)``.
    public var effectiveTransform: Transform { transform.concatenating(Transform(degrees: rotation.angle)) }

    /// The bounding box of the view with its ``effectiveTransform``, in the coordinates of its superview. A root view
    /// without a transform of its own fills its window in every orientation.
    public var frame: Rect {
        get {
            let extent = Rect(
                x: -bounds.size.width / 2, y: -bounds.size.height / 2,
                width: bounds.size.width, height: bounds.size.height
            ).applying(effectiveTransform)
            return Rect(
                x: center.x + extent.origin.x, y: center.y + extent.origin.y,
                width: extent.size.width, height: extent.size.height)
        }
        set {
            center = newValue.center
            let size = newValue.size.applying(effectiveTransform.inverted() ?? .identity)
            bounds.size = Size(width: abs(size.width), height: abs(size.height))
        }
    }

    /// The window that contains this view, or is this view; nil if there is none.
    public var window: Window? { containingWindow }

    /// Sets the window of this view and of all below it.
    private func enter(_ window: Window?) {
        guard containingWindow !== window else { return }
        containingWindow = window
        for view in subviews where !(view is Window) { view.enter(window) }
    }

    /// Notes that controllers in this view may have become visible or hidden.
    private func visibilityDidChange() {
        var here: View? = self
        while let each = here {
            if let window = each.window { return window.visibilityDidChange(.unknown) }
            if let owner = each.controller?.hierarchyWindow { return owner.visibilityDidChange(.unknown) }
            here = each.superview
        }
    }

    /// The distances from the sides of the view to the safe area of the screen; 0 for a side in it, and outside a window.
    public var safeAreaInsets: EdgeInsets {
        guard let safeArea else { return .zero }
        return EdgeInsets(
            top: max(0, safeArea.origin.y - bounds.origin.y), left: max(0, safeArea.origin.x - bounds.origin.x),
            bottom: max(0, bounds.maxY - safeArea.maxY), right: max(0, bounds.maxX - safeArea.maxX))
    }

    /// The safe area of the screen in the coordinates of this view.
    private var safeArea: Rect? {
        guard let outer = (self as? Window)?.safeAreaOfScreen ?? superview?.safeArea,
            let back = effectiveTransform.inverted()
        else { return nil }
        let middle = bounds.center
        return outer.applying(
            Transform(translationX: -center.x, y: -center.y).concatenating(back)
                .concatenating(Transform(translationX: middle.x, y: middle.y)))
    }

    /// Adds a view in front of the other subviews, removing it from its previous superview. Ignored with a warning if
    /// the view contains this one.
    public func addSubview(_ view: View) {
        // A view without subviews contains at most itself.
        guard view !== self, view.subviews.isEmpty || !isDescendant(of: view) else {
            return StandardError.write("addSubview: a view cannot be put into itself or into what it holds; ignored")
        }
        let isNew = view.superview == nil
        view.controller?.isAddedByOwner = false
        if view.superview !== self { view.leaveSuperview() } else { subviews.removeObject(view) }
        subviews.append(view)
        view.superview = self
        if !(view is Window) { view.enter(window) }
        view.followReference()
        if isNew, let window, let controller = view.controller, view.holdsOneController {
            if controller.isVisibleByItsView(in: window) { window.visibilityDidChange(.appearing(controller)) }
        } else if !isNew || view.containsController {
            visibilityDidChange()
        }
        window?.contentDidChange()
    }

    /// Whether this view has a controller, and its subviews have none.
    var holdsOneController: Bool { controller != nil && !subviews.contains(where: \.containsController) }

    /// Whether a controller has this view, or one in it.
    private var containsController: Bool { controller != nil || subviews.contains(where: \.containsController) }

    /// Removes the view from its superview.
    public func removeFromSuperview() {
        let former = window
        leaveSuperview()
        former?.contentDidChange()
    }

    /// Replaces another view in its superview, taking over its geometry. Returns false if that view has no superview,
    /// or is contained in this one.
    func takePlace(of old: View) -> Bool {
        guard let place = old.superview, !place.isDescendant(of: self) else { return false }
        leaveSuperview()
        autoresizingMask = old.autoresizingMask
        rotation = old.rotation
        fill(old.area)
        guard let index = place.subviews.firstIndex(where: { $0 === old }) else { return false }
        place.subviews[index] = self
        superview = place
        enter(place.window)
        old.superview = nil
        old.removeRotation()
        old.enter(nil)
        followReference()
        visibilityDidChange()
        return true
    }

    private func leaveSuperview() {
        guard let superview else { return }
        if let controller, holdsOneController, let window {
            window.placeDidChange(of: controller)
        } else if containsController {
            visibilityDidChange()
        }
        superview.subviews.removeObject(self)
        self.superview = nil
        removeRotation()
        if !(self is Window) { enter(nil) }
    }

    /// Returns whether this is `view` or one of its descendants.
    public func isDescendant(of view: View) -> Bool {
        var here: View? = self
        while let each = here {
            if each === view { return true }
            here = each.superview
        }
        return false
    }

    /// Lays out the subviews. Called in every turn, and when the view appears. The default does nothing: subviews are
    /// resized by their ``autoresizingMask``.
    open func layoutSubviews() {}

    /// Lays out this view and its descendants at the next frame. A view outside a window is laid out when it appears.
    public func setNeedsLayout() { window?.application?.layOutAtNextFrame(self) }

    /// Lays out this view and its descendants, parents first, with the layout callbacks of their controllers.
    public func layoutIfNeeded() {
        layoutAlone()
        for view in subviews { view.layoutIfNeeded() }
    }

    /// Lays out the subviews, but not what they contain.
    func layoutAlone() {
        if let controller, let screen = window?.application?.screen, screen.safeArea != SafeArea() {
            let insets = safeAreaInsets
            if insets != controller.announcedInsets {
                controller.announcedInsets = insets
                controller.viewSafeAreaInsetsDidChange()
            }
        }
        controller?.viewWillLayoutSubviews()
        layoutSubviews()
        controller?.viewDidLayoutSubviews()
    }
}

extension Array where Element: AnyObject {
    /// Removes an object.
    mutating func removeObject(_ object: Element) {
        if let index = lastIndex(where: { $0 === object }) { remove(at: index) }
    }
}
