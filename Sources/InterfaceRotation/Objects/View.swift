// SPDX-License-Identifier: Apache-2.0

/// A rectangle on the screen that has its own coordinates and holds other views.
///
/// It has what turning needs of UIKit's `UIView`: geometry, a tree, and springs and struts. It draws nothing; a
/// subclass, or the program's toolkit, does.
@MainActor open class View {
    /// Which parts of a view's frame give way when its superview changes size; the others keep their extent.
    public struct AutoresizingMask: OptionSet, Hashable, Sendable {
        /// One bit for each part.
        public let rawValue: UInt8
        /// Makes a mask from its bits.
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

    /// The view's own coordinates. A new size resizes the subviews by their ``autoresizingMask``.
    public var bounds: Rect {
        didSet {
            guard bounds.size != oldValue.size else { return }
            for view in subviews { view.resize(from: oldValue.size, to: bounds.size) }
        }
    }
    /// The middle of the view in the coordinates of its superview.
    public var center: Point
    /// How the view is turned and stretched about its ``center``.
    public var transform = Transform.identity
    /// What happens to the frame when the superview changes size.
    public var autoresizingMask: AutoresizingMask = []
    /// Whether the view, with all that is in it, is not shown.
    open var isHidden = false
    /// The view that holds this one.
    public private(set) weak var superview: View?
    /// The views in this one, the rearmost first.
    public private(set) var subviews: [View] = []

    weak var controller: ViewController?
    var reference: RotationReference?
    var referenceOrientation = InterfaceOrientation.portrait

    /// Makes a view that lies at `frame` in its superview.
    public init(frame: Rect = .zero) {
        bounds = Rect(size: frame.size)
        center = frame.center
    }

    /// The smallest upright rectangle around the view, in the coordinates of its superview. For a turned view it is
    /// the rectangle of the turned picture: a landscape root view has the portrait frame of its window.
    public var frame: Rect {
        get {
            let extent = Rect(
                x: -bounds.size.width / 2, y: -bounds.size.height / 2,
                width: bounds.size.width, height: bounds.size.height
            ).applying(transform)
            return Rect(
                x: center.x + extent.origin.x, y: center.y + extent.origin.y,
                width: extent.size.width, height: extent.size.height)
        }
        set {
            center = newValue.center
            let size = newValue.size.applying(transform.inverted() ?? .identity)
            bounds.size = Size(width: abs(size.width), height: abs(size.height))
        }
    }

    /// The window that shows this view; nil outside any.
    public var window: Window? {
        var view: View? = self
        while let here = view {
            if let window = here as? Window { return window }
            view = here.superview
        }
        return nil
    }

    /// Puts a view on top of the others in this one. It leaves its former superview first. A view that holds this one
    /// stays where it is, with a warning.
    public func addSubview(_ view: View) {
        guard !isDescendant(of: view) else {
            return StandardError.write("addSubview: a view cannot be put into itself or into what it holds; ignored")
        }
        if view.superview !== self { view.leaveSuperview() } else { subviews.removeAll { $0 === view } }
        subviews.append(view)
        view.superview = self
        view.followReference()
        window?.contentDidChange()
    }

    /// Takes the view out of its superview.
    public func removeFromSuperview() {
        let former = window
        leaveSuperview()
        former?.contentDidChange()
    }

    /// Goes where another view is, with its geometry, and that one goes. False if it is in no view, or in this one.
    func takePlace(of old: View) -> Bool {
        guard let place = old.superview, !place.isDescendant(of: self) else { return false }
        leaveSuperview()
        autoresizingMask = old.autoresizingMask
        (center, transform, bounds) = (old.center, old.transform, old.bounds)
        guard let index = place.subviews.firstIndex(where: { $0 === old }) else { return false }
        place.subviews[index] = self
        superview = place
        old.superview = nil
        followReference()
        return true
    }

    private func leaveSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }

    /// Whether this is `view`, or lies anywhere in it.
    public func isDescendant(of view: View) -> Bool {
        var here: View? = self
        while let each = here {
            if each === view { return true }
            here = each.superview
        }
        return false
    }

    /// Places the subviews. Called in every turn, and when the view comes on screen; the default leaves everything
    /// as ``autoresizingMask`` has made it.
    open func layoutSubviews() {}

    /// Lays out this view and all in it, the outer ones first, with the calls to their controllers around each.
    public func layoutIfNeeded() {
        controller?.viewWillLayoutSubviews()
        layoutSubviews()
        controller?.viewDidLayoutSubviews()
        for view in subviews { view.layoutIfNeeded() }
    }
}
