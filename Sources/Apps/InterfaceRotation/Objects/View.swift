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
    /// The transform of the view about its ``center``. A window that shows the view of a root or presented controller
    /// applies the rotation of the interface after the program's own transform, as does ``follow(_:)``: the value is the
    /// product. A new value that points the same way as the product, within 45°, is the new product; any other value, such
    /// as a scale or a mirror in a rotated interface, and the identity, is the program's own transform.
    public var transform = Transform.identity {
        didSet {
            let isProduct = transform != .identity && transform.points(like: oldValue)
            guard rotation != DisplayRotation(.top), !isProduct else { return }
            if reference != nil || superview is Window {
                transform = transform.concatenating(Transform(degrees: rotation.angle))
            } else {
                rotation = DisplayRotation(.top)
            }
        }
    }
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
    /// The rotation that the window, or following a reference, has applied after the program's own transform.
    private var rotation = DisplayRotation(.top)

    /// Creates a view with this frame in the coordinates of its superview.
    public init(frame: Rect = .zero) {
        bounds = Rect(size: frame.size)
        center = frame.center
    }

    /// The bounding box of the view with its ``transform``, in the coordinates of its superview. A root view without a
    /// transform of its own fills its window in every orientation.
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
            bottom: max(0, bounds.bottom - safeArea.bottom), right: max(0, bounds.right - safeArea.right))
    }

    /// The safe area of the screen in the coordinates of this view.
    private var safeArea: Rect? {
        guard let outer = (self as? Window)?.safeAreaOfScreen ?? superview?.safeArea, let back = transform.inverted()
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

    /// Whether this view, or one in it, is that of a controller.
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
        rotate(to: old.rotation)
        fill(old.area)
        guard let index = place.subviews.firstIndex(where: { $0 === old }) else { return false }
        place.subviews[index] = self
        superview = place
        enter(place.window)
        old.superview = nil
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

/// The views that are resized while a container is laid out; without those that were resized with their superview.
@MainActor enum ResizedViews {
    private static var recorded: [View]?

    fileprivate static func add(_ view: View) {
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
    /// Rotates the view, after the transform that the program has set.
    func rotate(to new: DisplayRotation) {
        let change = Transform(degrees: new.composed(with: rotation.inverse).angle)
        // The product is not a transform that the program sets.
        rotation = DisplayRotation(.top)
        transform = transform.concatenating(change)
        rotation = new
    }

    /// Removes the rotation of a window from a view that is in a container now.
    func removeRotation() {
        if reference == nil { rotate(to: DisplayRotation(.top)) }
    }

    /// Whether the transform that the program has set swaps width and height.
    var isTurnedByProgram: Bool { transform.swapsSides != rotation.swapsSides }

    /// The rectangle of the superview that the view fills, but for what its transform scales, moves or tilts.
    private var area: Rect {
        let size = transform.swapsSides ? bounds.size.swapped : bounds.size
        return Rect(
            x: center.x - size.width / 2, y: center.y - size.height / 2, width: size.width, height: size.height)
    }

    /// Sets the center and the size of the bounds; the transform stays.
    func fill(_ area: Rect) {
        center = area.center
        bounds.size = transform.swapsSides ? area.size.swapped : area.size
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
    /// Its center stays, the rotation of the orientation on the screen is applied after its transform, and width and
    /// height of its bounds swap where the screen's do. Nothing else turns with it. When this is first called, the view
    /// counts as upright in the natural orientation of the screen; outside a window, in portrait.
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
        rotate(to: new)
        window?.drawAtRest()
    }

    /// Whether this view, or one in it, follows the device.
    var followsDevice: Bool { reference == .device || subviews.contains(where: \.followsDevice) }
}
