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
        (outgoing, incoming) = ListDifference.between(old, new)
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

    func appeared(_ animated: Bool) {
        viewDidAppear(animated)
        move = .none
    }

    func disappeared(_ animated: Bool) {
        viewDidDisappear(animated)
        move = .none
    }
}

/// The difference of two lists.
enum ListDifference {
    /// Returns the elements that are only in the old list, and those that are only in the new one, each in its order.
    @MainActor static func between(
        _ old: [ViewController], _ new: [ViewController]
    ) -> (removed: [ViewController], added: [ViewController]) {
        let (former, current) = (Set(old.map(ObjectIdentifier.init)), Set(new.map(ObjectIdentifier.init)))
        return (
            old.filter { !current.contains(ObjectIdentifier($0)) },
            new.filter { !former.contains(ObjectIdentifier($0)) }
        )
    }
}
