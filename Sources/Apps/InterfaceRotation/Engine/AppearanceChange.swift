// SPDX-License-Identifier: Apache-2.0

/// The controllers that appear and disappear: the difference between two lists of visible controllers. It serves
/// presentation, dismissal, push, pop, tabs, children and windows.
@MainActor final class AppearanceChange {
    private let incoming: [ViewController]
    private let outgoing: [ViewController]
    private let incomingSet: Set<ObjectIdentifier>
    private let isAnimated: Bool
    /// Whether the incoming controllers are on screen. Controllers that callbacks add can appear from then on.
    private(set) var isMade = false

    init(from old: [ViewController], to new: [ViewController], isAnimated: Bool) {
        (outgoing, incoming) = (old.without(new), new.without(old))
        incomingSet = Set(incoming.map(ObjectIdentifier.init))
        self.isAnimated = isAnimated
    }

    var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty }

    func isIncoming(_ controller: ViewController) -> Bool { incomingSet.contains(ObjectIdentifier(controller)) }

    func willChange(in window: Window) {
        for controller in incoming { controller.loadViewIfNeeded() }
        for controller in outgoing {
            window.leaving[ObjectIdentifier(controller)] = controller
            controller.viewWillDisappear(isAnimated)
        }
    }

    /// Places and lays out all visible controllers, between the appearance callbacks of the incoming ones.
    func change(in window: Window) {
        window.placeContent()
        let coming = incoming.filter { window.isShown($0) }
        for controller in coming {
            window.hasLeft([controller], isAnimated: isAnimated)
            controller.viewWillAppear(isAnimated)
        }
        window.layoutContent()
        window.removeAppeared(outgoing)
        window.addAppeared(coming)
        for controller in coming { controller.appeared(isAnimated) }
        isMade = true
    }

    /// Removes the outgoing views, after the animation. A child that leaves with its parent keeps its place in it.
    func didChange(in window: Window) {
        let gone = Set(outgoing.map(ObjectIdentifier.init))
        for controller in outgoing where window.isLeaving(controller) {
            if let parent = controller.parent, gone.contains(ObjectIdentifier(parent)) { continue }
            window.removeView(of: controller)
        }
        window.hasLeft(outgoing, isAnimated: isAnimated)
    }
}

extension ViewController {
    /// A change of the hierarchy, as the controller that enters or leaves sees it.
    enum Move { case none, presented, dismissed, added, removed }

    /// Notes how the controller leaves. One that is not on screen does not disappear.
    func noteDeparture(_ move: Move) { self.move = appearedWindow == 0 ? .none : move }

    func appeared(_ animated: Bool) {
        viewDidAppear(animated)
        move = .none
    }

    func disappeared(_ animated: Bool) {
        viewDidDisappear(animated)
        move = .none
    }
}

extension [ViewController] {
    /// Returns the elements that are not in another list, in their order.
    @MainActor func without(_ other: [ViewController]) -> [ViewController] {
        let others = Set(other.map(ObjectIdentifier.init))
        return filter { !others.contains(ObjectIdentifier($0)) }
    }
}
