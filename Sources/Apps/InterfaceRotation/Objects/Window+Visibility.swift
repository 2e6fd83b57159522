// SPDX-License-Identifier: Apache-2.0

/// What a window knows about its visible controllers, so that a change costs what it changes: everything that can show
/// or hide a controller calls ``Window/visibilityDidChange(_:)``.
@MainActor struct Visibility {
    /// What may have changed since the appearance was updated.
    enum Change {
        /// Nothing: the controllers that have appeared are the visible ones.
        case none
        /// One controller, with what is in it, was added.
        case appearing(ViewController)
        /// One controller, with what is in it, was removed from this view.
        case disappearing(ViewController, from: View?)
        /// Anything.
        case unknown
    }

    /// One controller of the chain of presentations.
    struct Presentation {
        let controller: ViewController
        let coversWindow: Bool
        /// Whether it covers the window and hides the controllers below.
        let isOpaque: Bool
    }

    /// The state in which ``Window/tidy()`` left the controllers.
    struct Tidied: Equatable {
        var orientation: InterfaceOrientation
        var isDecided: Bool
    }

    private static var lastNumber = 0

    /// The number of the window: no other has it.
    let window = Visibility.nextNumber()
    fileprivate(set) var change = Change.unknown
    /// The visible controllers in their order; nil if they must be collected again.
    fileprivate var list: [ViewController]?
    /// The mark of the visible controllers, `ViewController.shownList`.
    fileprivate var mark = 0
    /// Whether exactly the visible controllers have the mark.
    fileprivate var isMarked = false
    fileprivate var presentations: [Presentation]?
    /// Nil if tidying is necessary in any case.
    var tidied: Tidied?

    fileprivate static func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

// MARK: - What is visible

extension Window {
    /// The root, the controller that it presents, the one that this presents, and so on.
    var presentations: [Visibility.Presentation] {
        if let known = visibility.presentations { return known }
        var chain: [Visibility.Presentation] = []
        while let next = chain.last.map({ $0.controller.presented }) ?? rootViewController {
            chain.append(presentation(of: next, above: chain.last))
        }
        visibility.presentations = chain
        return chain
    }

    /// The first is the root, which covers the window. A style that takes the place of its context covers it if the
    /// context does.
    private func presentation(
        of controller: ViewController, above below: Visibility.Presentation?
    ) -> Visibility.Presentation {
        let style = controller.modalPresentationStyle
        let covers = below.map { style.covers && (!style.usesContext || $0.coversWindow) } ?? true
        return .init(controller: controller, coversWindow: covers, isOpaque: covers && style.hidesWhatIsBelow)
    }

    /// The visible controllers of ``presentations``, the bottom first.
    var shownOutermost: [ViewController] {
        guard isVisible else { return [] }
        let chain = presentations
        return chain[(chain.lastIndex(where: \.isOpaque) ?? 0)...].map(\.controller)
    }

    /// Whether all visible controllers are in the topmost one.
    var showsTopmostOnly: Bool { presentations.count == 1 || presentations.last?.isOpaque == true }

    /// All visible controllers, parents before children.
    var shown: [ViewController] {
        if let list = visibility.list { return list }
        var list: [ViewController] = []
        for controller in shownOutermost { controller.appendVisibleTree(to: &list) }
        visibility.mark = Visibility.nextNumber()
        for controller in list { controller.shownList = visibility.mark }
        visibility.isMarked = true
        visibility.list = list
        return list
    }

    func isShown(_ controller: ViewController) -> Bool {
        if !visibility.isMarked { _ = shown }
        return controller.shownList == visibility.mark
    }

    // MARK: Changes

    /// Notes a change that can show or hide controllers.
    func visibilityDidChange(_ new: Visibility.Change) {
        visibility.list = nil
        visibility.isMarked = false
        switch (visibility.change, new) {
        case (.none, .appearing), (.none, .disappearing): visibility.change = new
        case (.appearing(let former), .appearing(let controller)) where former === controller: break
        case (.disappearing(let former, _), .disappearing(let controller, _)) where former === controller: break
        default:
            visibility.change = .unknown
            visibility.tidied = nil
        }
    }

    /// Notes that the place of a visible controller is removed.
    func placeDidChange(of controller: ViewController) {
        if visibility.isMarked, !isShown(controller) { return }
        let isAlone = controller.viewIfLoaded?.holdsOneController == true && controller.isVisibleByItsView(in: self)
        visibilityDidChange(isAlone ? .disappearing(controller, from: controller.viewIfLoaded?.superview) : .unknown)
    }

    /// Notes that any link or style of the presentations changed.
    func presentationsDidChange() {
        visibility.presentations = nil
        visibilityDidChange(.unknown)
    }

    /// Notes that an outermost controller presents another one than before. On top, the others are not looked at.
    func presentationDidChange(from old: ViewController?, to new: ViewController?, by presenter: ViewController) {
        guard let last = visibility.presentations?.last, (old == nil) != (new == nil) else {
            return presentationsDidChange()
        }
        if let new, last.controller === presenter, new.presented == nil {
            let above = presentation(of: new, above: last)
            visibility.presentations?.append(above)
            visibilityDidChange(above.isOpaque ? .unknown : .appearing(new))
        } else if let old, last.controller === old {
            visibility.presentations?.removeLast()
            visibilityDidChange(last.isOpaque ? .unknown : .disappearing(old, from: nil))
        } else {
            presentationsDidChange()
        }
    }
}

// MARK: - What has appeared

extension Window {
    func addAppeared(_ controllers: [ViewController]) {
        for controller in controllers { controller.appearedWindow = visibility.window }
        appeared += controllers
    }

    func removeAppeared(_ controllers: [ViewController]) {
        // Each is found from the end.
        for controller in controllers.reversed() {
            appeared.removeObject(controller)
            if controller.appearedWindow == visibility.window { controller.appearedWindow = 0 }
        }
    }

    /// Returns the controllers that have to appear and disappear; the caller performs it.
    func takeAppearanceChange(isAnimated: Bool) -> AppearanceChange {
        let shown = shown
        visibility.change = .none
        return AppearanceChange(from: appeared, to: shown, isAnimated: isAnimated)
    }

    /// Makes the appearance callbacks that belong to no turn; false if there are none.
    @discardableResult
    func updateAppearance(isAnimated: Bool) -> Bool {
        switch visibility.change {
        case .none: return false
        case .appearing(let controller):
            if let hasAppeared = appear(controller, isAnimated: isAnimated) { return hasAppeared }
            visibility.tidied = nil
        case .disappearing(let controller, let place):
            if let hasLeft = disappear(controller, from: place, isAnimated: isAnimated) { return hasLeft }
            visibility.tidied = nil
        case .unknown: break
        }
        let change = takeAppearanceChange(isAnimated: isAnimated)
        guard !change.isEmpty || isMisplaced else { return false }
        inCallbacks {
            whileAppearing {
                change.willChange(in: self)
                change.change(in: self)
                change.didChange(in: self)
            }
        }
        drawAtRest()
        return true
    }

    /// Whether a visible view is not in its place: callbacks of a turn have shown another one there, and removed it.
    /// One that the program has moved or removed stays where it is.
    private var isMisplaced: Bool {
        let rotation = DisplayRotation(interfaceOrientation, on: screenShape)
        return shown.contains { !$0.isAddedByOwner && $0.view.superview == nil }
            || shownOutermost.contains { $0.view.superview === self && $0.view.rotation != rotation }
    }

    /// Makes the callbacks of one controller that was added, with what is in it. Only it and its container are laid out,
    /// and what the container resizes. Nil if other controllers can be concerned.
    private func appear(_ controller: ViewController, isAnimated: Bool) -> Bool? {
        let tree = controller.visibleTree
        let incoming = tree.filter { $0.appearedWindow != visibility.window }
        guard !incoming.isEmpty else {
            visibility.change = .none
            return false
        }
        guard controller.hierarchyWindow === self, incoming.count == tree.count else { return nil }
        let isPresented = controller.presenter != nil
        if isPresented {
            guard isVisible, controller.viewIfLoaded?.superview == nil else { return nil }
        } else {
            guard let parent = controller.parent, !parent.managesContent else { return nil }
            guard parent.appearedWindow == visibility.window, controller.isAddedByProgram else {
                visibility.change = .none
                return false
            }
        }
        visibility.change = .none
        for each in incoming { each.shownList = visibility.mark }
        visibility.isMarked = true
        inCallbacks {
            whileAppearing {
                for each in incoming { each.loadViewIfNeeded() }
                place(controller, with: incoming)
                let coming = incoming.filter(isShown)
                for each in coming {
                    hasLeft([each], isAnimated: isAnimated)
                    each.viewWillAppear(isAnimated)
                }
                layout(controller)
                addAppeared(coming)
                for each in coming { each.appeared(isAnimated) }
            }
        }
        drawAtRest()
        return true
    }

    /// Makes the callbacks of one controller that was removed, with what is in it. Only its container is laid out, and what
    /// the container resizes. Nil if other controllers can be concerned.
    private func disappear(_ controller: ViewController, from place: View?, isAnimated: Bool) -> Bool? {
        var outgoing: [ViewController] = []
        controller.appendAppeared(in: visibility.window, to: &outgoing)
        guard outgoing.isEmpty || outgoing.first === controller, !controller.isPlaced(in: self) else { return nil }
        visibility.change = .none
        for each in [controller] + outgoing { each.shownList = 0 }
        visibility.isMarked = true
        guard !outgoing.isEmpty else { return false }
        inCallbacks {
            whileAppearing {
                for each in outgoing {
                    leaving[ObjectIdentifier(each)] = each
                    each.viewWillDisappear(isAnimated)
                }
                layoutContainers(from: place)
                removeAppeared(outgoing)
                if isLeaving(controller) { removeView(of: controller) }
                for each in outgoing where leaving.removeValue(forKey: ObjectIdentifier(each)) != nil {
                    each.disappeared(isAnimated)
                }
            }
        }
        drawAtRest()
        return true
    }

    private func place(_ controller: ViewController, with incoming: [ViewController]) {
        if controller.presenter != nil { placeOutermost(controller) }
        for each in incoming { each.installContent() }
        tidy(incoming, isDecided: pending?.shown == nil)
        for each in incoming { each.fillContext() }
    }

    private func layout(_ controller: ViewController) {
        if controller.presenter == nil { layoutContainers(from: controller.view.superview, without: controller.view) }
        controller.view.layoutIfNeeded()
    }

    /// Lays out the views from one up to its controller's, and the views that this resizes.
    private func layoutContainers(from place: View?, without content: View? = nil) {
        var containers: [View] = []
        var above = place
        while let view = above, view !== self {
            containers.append(view)
            above = view.controller == nil ? view.superview : nil
        }
        let resized = ResizedViews.during {
            for view in containers.reversed() { view.layoutAlone() }
        }
        for view in resized where view.window === self && content.map({ !view.isDescendant(of: $0) }) ?? true {
            view.layoutIfNeeded()
        }
    }
}

extension ViewController {
    /// Appends this controller and those in it, if they have appeared in a window.
    fileprivate func appendAppeared(in window: Int, to list: inout [ViewController]) {
        if appearedWindow == window { list.append(self) }
        for child in children { child.appendAppeared(in: window, to: &list) }
        presented?.appendAppeared(in: window, to: &list)
    }

    /// Whether it still has a place among the controllers of a window, whether or not that is visible.
    fileprivate func isPlaced(in window: Window) -> Bool {
        if presenter != nil || rootWindow != nil { return true }
        guard let parent else { return false }
        return parent.managesContent || isAddedByProgram
    }

    /// Whether the place of the view determines if the controller is visible. It does not for an outermost controller and
    /// for the content of a container that manages it.
    func isVisibleByItsView(in window: Window) -> Bool {
        guard hierarchyWindow === window else { return true }
        return parent.map { !$0.managesContent } ?? (presenter?.parent != nil)
    }

    /// Fills the context of a controller that is presented in a container.
    func fillContext() {
        if let context = presenter, context.parent != nil { context.fill(with: self) }
    }
}
