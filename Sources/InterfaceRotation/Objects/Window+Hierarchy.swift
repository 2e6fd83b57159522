// SPDX-License-Identifier: Apache-2.0

extension Window {
    /// The presented controllers, from the root along what each presents.
    private var presentationChain: [ViewController] {
        var chain: [ViewController] = []
        while let next = chain.last.map({ $0.presented }) ?? rootViewController { chain.append(next) }
        return chain
    }

    /// The controller that is queried: the last presented one that covers the window, else the root.
    public var topmostViewController: ViewController? {
        presentationChain.last(where: \.coversWindow)
    }

    /// The visible part of the chain, the bottom first.
    var shownOutermost: [ViewController] {
        guard isVisible else { return [] }
        let chain = presentationChain
        let opaque = chain.indices.last {
            chain[$0].coversWindow && chain[$0].modalPresentationStyle.hidesWhatIsBelow
        }
        return Array(chain[(opaque ?? 0)...])
    }

    /// All visible controllers.
    var shown: [ViewController] { shownOutermost.flatMap(\.visibleTree) }

    func isShown(_ controller: ViewController) -> Bool { shown.contains { $0 === controller } }

    /// Whether a controller is topmost, or is seen in the one that is.
    func isSeenInTopmost(_ controller: ViewController) -> Bool {
        isVisible && (topmostViewController?.visibleTree.contains { $0 === controller } ?? false)
    }

    /// Whether an answer of a controller may count: it is visible in the topmost one, which may use its answer in any
    /// way, or it is a child that answers; by the legacy rules also an invisible child that is queried.
    func mayBeQueried(_ controller: ViewController) -> Bool {
        guard isVisible, !isSeenInTopmost(controller) else { return isVisible }
        if application?.ruleSet == .legacy { return topmostViewController?.queriesByLegacyRules(controller) == true }
        return chain(\.answeringChild).contains { $0 === controller }
    }

    /// The same for the app's own lock.
    func mayBeQueriedForLock(_ controller: ViewController) -> Bool {
        isVisible && (isSeenInTopmost(controller) || chain(\.lockingChild).contains { $0 === controller })
    }

    /// The topmost controller and, from there, each that the one before names.
    private func chain(_ next: (ViewController) -> ViewController?) -> [ViewController] {
        var chain: [ViewController] = []
        while let each = chain.last.map(next) ?? topmostViewController { chain.append(each) }
        return chain
    }

    /// The controllers that receive the callbacks of a turn: the topmost with its visible descendants, then the other
    /// visible ones, bottom to top. Controllers that appear with the turn are left out.
    func rotationParticipants(besides change: AppearanceChange) -> [ViewController] {
        shownTopmostFirst.flatMap(\.rotationTree).filter { !change.isIncoming($0) }
    }

    /// ``shownOutermost`` in the order in which a turn is announced.
    var shownTopmostFirst: [ViewController] {
        guard let topmost = topmostViewController else { return [] }
        return [topmost] + shownOutermost.filter { $0 !== topmost }
    }

    /// Whether nothing lies over the topmost controller.
    private var topmostIsFree: Bool { presentationChain.last === topmostViewController }

    /// Whether the app's own lock holds the interface of this window.
    public var isInterfaceOrientationLocked: Bool { ownLock && ownLockMayHold }

    private var ownLockMayHold: Bool {
        application?.ruleSet == .modern && application?.keyWindow === self && coversScreen && topmostIsFree
    }

    /// Reads the lock of the topmost controller, or of the child that it names.
    func queryOwnLock() -> Bool {
        guard application?.ruleSet == .modern, let controller = chain(\.lockingChild).last else { return false }
        ownLock = controller.prefersInterfaceOrientationLocked
        return isInterfaceOrientationLocked
    }

    // MARK: Placing

    /// Gives every outermost view that is seen the geometry of the orientation: frame and centre are the window's,
    /// transform and bounds turn.
    func placeContent() {
        for controller in shownOutermost {
            controller.loadViewIfNeeded()
            if controller.view.superview !== self { addSubview(controller.view) }
            placeView(of: controller)
            controller.visibleTree.forEach { $0.installContent() }
        }
        tidy()
        for controller in shown {
            if let context = controller.presenter, context.parent != nil { context.fill(with: controller) }
            controller.lastShown = interfaceOrientation
        }
    }

    /// The size of an interface in this orientation that fills the window.
    func size(in orientation: InterfaceOrientation) -> Size {
        bounds.size.turned(to: orientation, on: screenShape)
    }

    private func placeView(of controller: ViewController) {
        controller.view.center = bounds.center
        controller.view.transform = interfaceOrientation.transform(on: screenShape)
        controller.view.bounds = Rect(size: size(in: interfaceOrientation))
    }

    /// Resizes the content to the window's new frame.
    func resizeContent() {
        for controller in shownOutermost where controller.viewIfLoaded?.superview === self {
            placeView(of: controller)
            controller.view.layoutIfNeeded()
        }
        drawAtRest()
    }

    /// A controller that is shown has another view, in the place of the old one.
    func viewWasReplaced(of controller: ViewController) {
        whileAppearing { controller.visibleTree.forEach { $0.installContent() } }
        contentDidChange()
        controller.view.layoutIfNeeded()
        drawAtRest()
    }

    func isLeaving(_ controller: ViewController) -> Bool { leaving.contains { $0 === controller } }

    /// Calls `viewDidDisappear` on those of the controllers that are disappearing.
    func hasLeft(_ controllers: [ViewController], isAnimated: Bool) {
        let gone = controllers.filter(isLeaving)
        leaving.removeAll { each in gone.contains { $0 === each } }
        for controller in gone { controller.viewDidDisappear(isAnimated) }
    }

    /// Removes the views of controllers that are neither shown there nor disappearing.
    func clear(_ view: View, except shown: [ViewController]) {
        for subview in view.subviews {
            guard let controller = subview.controller, !isLeaving(controller),
                !shown.contains(where: { $0 === controller })
            else { continue }
            subview.removeFromSuperview()
        }
    }

    /// Removes the views of controllers that were placed and left before they appeared.
    func tidy() {
        whileAppearing {
            clear(self, except: shownOutermost)
            for controller in shown where controller.managesContent {
                clear(controller.view, except: controller.visibleTree)
            }
        }
    }

    func layoutContent() {
        for controller in shownOutermost { controller.view.layoutIfNeeded() }
    }

    // MARK: Drawing

    func drawAtRest() {
        guard turn?.isMoving != true else { return }
        draw(InterfaceTurn(from: interfaceOrientation, to: interfaceOrientation), progress: 1)
    }

    func draw(_ turn: InterfaceTurn, progress: Double) {
        guard isVisible, let surface, let screen = application?.screen else { return }
        surface.window(
            self,
            shows: Picture(
                transform: screen.drawingTransform(of: turn, at: progress),
                bounds: Rect(size: size(in: interfaceOrientation)),
                orientation: turn.to, progress: progress))
    }
}
