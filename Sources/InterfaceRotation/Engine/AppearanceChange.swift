// SPDX-License-Identifier: Apache-2.0

/// Who comes on screen and who leaves it, found by comparing what is shown with what was: one way for presentation,
/// dismissal, push, pop, tabs, children and windows.
@MainActor final class AppearanceChange {
    private let incoming: [ViewController]
    private let outgoing: [ViewController]
    private let isAnimated: Bool
    /// Whether those who come are there, so that what callbacks add besides can come too.
    private(set) var isMade = false

    init(from old: [ViewController], to new: [ViewController], isAnimated: Bool) {
        incoming = new.filter { each in !old.contains { $0 === each } }
        outgoing = old.filter { each in !new.contains { $0 === each } }
        self.isAnimated = isAnimated
    }

    var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty }

    func isIncoming(_ controller: ViewController) -> Bool { incoming.contains { $0 === controller } }

    func willChange(in window: Window) {
        for controller in incoming { controller.loadViewIfNeeded() }
        for controller in outgoing {
            window.leaving.append(controller)
            controller.viewWillDisappear(isAnimated)
        }
    }

    /// Places and lays out all that is shown; what comes on screen is told around it.
    func change(in window: Window) {
        window.placeContent()
        let coming = incoming.filter { window.isShown($0) }
        for controller in coming {
            window.hasLeft([controller], isAnimated: isAnimated)
            controller.viewWillAppear(isAnimated)
        }
        window.layoutContent()
        window.appeared.removeAll { each in outgoing.contains { $0 === each } }
        window.appeared += coming
        for controller in coming { controller.viewDidAppear(isAnimated) }
        isMade = true
    }

    /// After the animation.
    func didChange(in window: Window) {
        for controller in outgoing where window.isLeaving(controller) {
            controller.viewIfLoaded?.removeFromSuperview()
        }
        window.hasLeft(outgoing, isAnimated: isAnimated)
    }
}
