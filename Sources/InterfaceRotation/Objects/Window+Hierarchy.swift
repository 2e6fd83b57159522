// SPDX-License-Identifier: Apache-2.0

extension Window {
    /// The root, the controller that it presents, the one that this presents, and so on.
    private var presentationChain: [ViewController] {
        var chain: [ViewController] = []
        while let next = chain.last.map({ $0.presented }) ?? rootViewController { chain.append(next) }
        return chain
    }

    /// The controller that is queried: the last presented controller that covers the window, else the root.
    public var topmostViewController: ViewController? {
        presentationChain.last(where: \.coversWindow)
    }

    /// The visible controllers of ``presentationChain``, the bottom first.
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

    /// Whether a controller is topmost, or visible in the topmost one.
    func isSeenInTopmost(_ controller: ViewController) -> Bool {
        isVisible && (topmostViewController?.visibleTree.contains { $0 === controller } ?? false)
    }

    /// Whether an answer of a controller can count. It can if the controller is visible in the topmost one, which can
    /// use its answer in any way, or if it answers for its container; by the legacy rules invisible children are
    /// queried too.
    func mayBeQueried(_ controller: ViewController) -> Bool {
        guard isVisible, !isSeenInTopmost(controller) else { return isVisible }
        if application?.ruleSet == .legacy { return topmostViewController?.queriesByLegacyRules(controller) == true }
        return chain(\.answeringChild).contains { $0 === controller }
    }

    /// The same for the app's own lock.
    func mayBeQueriedForLock(_ controller: ViewController) -> Bool {
        isVisible && (isSeenInTopmost(controller) || chain(\.lockingChild).contains { $0 === controller })
    }

    /// The topmost controller, and from there each controller to which the previous one defers.
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

    /// Whether the topmost controller has no sheet above it.
    private var topmostIsFree: Bool { presentationChain.last === topmostViewController }

    /// Whether the app's own lock keeps the orientation of this window.
    public var isInterfaceOrientationLocked: Bool { ownLock && ownLockMayHold }

    private var ownLockMayHold: Bool {
        application?.ruleSet == .modern && application?.keyWindow === self && coversScreen && topmostIsFree
    }

    /// Reads the lock of the topmost controller, or of the child to which it defers.
    func queryOwnLock() -> Bool {
        guard application?.ruleSet == .modern, let controller = chain(\.lockingChild).last else { return false }
        ownLock = controller.prefersInterfaceOrientationLocked
        return isInterfaceOrientationLocked
    }

    // MARK: Placing

    /// Gives every visible outermost view the geometry of the orientation: the window's frame and center, and the
    /// transform and bounds of the orientation.
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

    /// Updates the content after the view of a visible controller was replaced.
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

    /// Removes the views of controllers that were placed and left before they appeared, and records the orientation in
    /// which controllers are shown. An orientation in which they only wait for their decision is not recorded: the
    /// decision needs the one before.
    func tidy() {
        let isDecided = pending?.shown == nil
        whileAppearing {
            clear(self, except: shownOutermost)
            for controller in shown {
                if controller.managesContent { clear(controller.view, except: controller.visibleTree) }
                if isDecided { controller.lastShown = interfaceOrientation }
            }
        }
    }

    func layoutContent() {
        for controller in shownOutermost { controller.view.layoutIfNeeded() }
    }
}
