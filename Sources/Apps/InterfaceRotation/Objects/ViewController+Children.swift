// SPDX-License-Identifier: Apache-2.0

extension ViewController {
    /// Adds a child, and calls its `willMove(toParent:)`. The container then adds the child's view and calls
    /// `didMove(toParent:)`. A child of another container leaves that one first.
    ///
    /// - Throws: ``HierarchyError``, or the error of the decision if this container is visible. Then nothing has
    ///   changed.
    public func tryAddChild(_ child: ViewController) throws {
        guard !child.contains(self) else { throw HierarchyError.containsItself("\(child)") }
        guard child.rootWindow == nil, child.presenter == nil else {
            throw HierarchyError.alreadyInUse("\(child)")
        }
        let (former, move) = (child.parent, child.move)
        let place = former?.children.firstIndex { $0 === child } ?? 0
        var change = HierarchyChange(cause: .childAdded, subject: child, container: self, isAnimated: true)
        change.apply = {
            former?.unlink(child)
            self.link(child)
        }
        change.undo = {
            self.unlink(child)
            former?.link(child, at: place)
            child.move = move
        }
        change.willCommit = {
            if former != nil { child.didMove(toParent: nil) }
            child.willMove(toParent: self)
        }
        try perform(change)
        guard let former, former !== self else { return }
        former.performDeparture(HierarchyChange(cause: .childRemoved, container: former, isAnimated: true))
    }

    /// Removes this controller from its parent, and calls `didMove(toParent: nil)`. Call `willMove(toParent: nil)` and
    /// remove the view before.
    public func removeFromParent() {
        guard let parent else { return }
        var change = HierarchyChange(cause: .childRemoved, container: parent, isAnimated: true)
        change.apply = { parent.unlink(self) }
        parent.performDeparture(change)
        didMove(toParent: nil)
    }

    /// Replaces one child with another: adds the new view, calls `animations` once, and after `duration` seconds of the
    /// application's frame clock removes the old view and calls `completion`; at once if `duration` is 0 or there is no
    /// window.
    ///
    /// In `completion` call `removeFromParent()` on the old child and `didMove(toParent:)` on the new one. A single
    /// trailing closure would be `animations`, as in UIKit:
    ///
    ///     try tryTransition(from: old, to: new, animations: nil) {
    ///         old.removeFromParent()
    ///         new.didMove(toParent: self)
    ///     }
    ///
    /// Nothing is interpolated: start the toolkit's own animation in `animations`.
    ///
    /// - Throws: ``HierarchyError/notChildren(of:)``.
    public func tryTransition(
        from old: ViewController, to new: ViewController, duration: Double = 0,
        animations: (@MainActor () -> Void)?, completion: (@MainActor () -> Void)? = nil
    ) throws(HierarchyError) {
        guard old.parent === self, new.parent === self, old !== new else {
            throw .notChildren(of: "\(self)")
        }
        let place = old.view.superview ?? view
        if new.view.superview !== place { place.addSubview(new.view) }
        animations?()
        let finish: @MainActor () -> Void = {
            old.view.removeFromSuperview()
            completion?()
        }
        guard duration > 0, let application = hierarchyWindow?.application, application.areAnimationsEnabled
        else { return finish() }
        let step: @MainActor (Double) -> Void = { [weak hierarchyWindow] _ in hierarchyWindow?.drawAtRest() }
        application.animate(duration: duration, step: step, completion: finish)
    }

    func link(_ child: ViewController, at place: Int? = nil) {
        children.insert(child, at: min(place ?? children.count, children.count))
        child.parent = self
        child.move = .added
        child.viewIfLoaded?.removeRotation()
        child.enter(hierarchyWindow)
        if hasVisiblePlace(child) { hierarchyWindow?.visibilityDidChange(.unknown) }
    }

    func unlink(_ child: ViewController) {
        if hasVisiblePlace(child), let window = hierarchyWindow {
            if managesContent { window.visibilityDidChange(.unknown) } else { window.placeDidChange(of: child) }
        }
        children.removeObject(child)
        child.parent = nil
        child.noteDeparture(.removed)
        child.enter(nil)
    }

    /// Whether a child can be visible. One whose view is nowhere is not, unless the content is managed.
    private func hasVisiblePlace(_ child: ViewController) -> Bool {
        managesContent || child.viewIfLoaded?.superview != nil
    }

    /// Makes a change in the window of this container; without a window there is no decision.
    func perform(_ change: HierarchyChange) throws {
        if let window = hierarchyWindow { return try window.perform(change) }
        change.willCommit?()
        change.apply()
        change.didCommit?()
        change.completed?()
    }

    /// Performs a departure. Its error goes to the failure handler: the caller cannot undo it.
    func performDeparture(_ change: HierarchyChange) {
        let application = hierarchyWindow?.application
        do { try perform(change) } catch { application?.report(error) }
    }
}
