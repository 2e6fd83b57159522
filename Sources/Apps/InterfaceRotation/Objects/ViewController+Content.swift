// SPDX-License-Identifier: Apache-2.0

/// Containers that show one of their children in their full size.
extension ViewController {
    /// The children whose views are in this controller's view.
    enum Content {
        /// The children whose views the program adds.
        case arranged
        /// Only this child, whose view the container adds; nil for none.
        case managed(ViewController?)
    }

    /// The children that are visible with this controller: those whose view the program has added, or the managed one.
    var visibleChildren: [ViewController] {
        if case .managed(let child) = content { return child.map { [$0] } ?? [] }
        return children.filter(\.isAddedByProgram)
    }

    /// Whether the view is in the parent's view, or elsewhere in its window. It may be hidden.
    var isAddedByProgram: Bool {
        guard let parent, let view = viewIfLoaded else { return false }
        return view.window.map { $0 === parent.hierarchyWindow } == true
            || parent.viewIfLoaded.map(view.isDescendant) == true
    }

    /// Whether only ``installContent()`` adds children's views to this controller's view.
    var managesContent: Bool { if case .managed = content { true } else { false } }

    /// Notes that another child is managed.
    func contentWasSelected() { hierarchyWindow?.visibilityDidChange(.unknown) }

    /// Adds the view of the managed child, if there is one.
    func installContent() {
        if case .managed(let child?) = content { fill(with: child) }
    }

    /// Adds a child's view with the size of this controller's view.
    func fill(with child: ViewController) {
        child.view.removeRotation()
        child.view.fill(view.bounds)
        child.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        if child.view.superview !== view { view.addSubview(child.view) }
        child.isAddedByOwner = true
    }

    /// Sets the initial children of a new container.
    func begin(with list: [ViewController], _ call: String = #function) {
        Window.reporting(in: list.compactMap(\.hierarchyWindow).first, call) {
            try checkNewChildren(list, coming: list)
            for child in list {
                child.willMove(toParent: self)
                link(child)
                child.didMove(toParent: self)
            }
        }
    }

    /// Replaces the children, with the containment calls for each child that is added or removed, and then applies
    /// `change`. Both are undone together.
    func replaceChildren(with list: [ViewController], _ change: HierarchyChange) throws {
        let former = children
        let (leaving, coming) = (former.without(list), list.without(former))
        let moves = (leaving + coming).map { ($0, $0.move) }
        try checkNewChildren(list, coming: coming)
        var whole = change
        whole.apply = {
            self.setChildren(list, coming: coming, leaving: leaving)
            change.apply()
        }
        whole.undo = {
            self.setChildren(former, coming: leaving, leaving: coming)
            for (child, move) in moves { child.move = move }
            change.undo()
        }
        whole.willCommit = {
            leaving.forEach { $0.willMove(toParent: nil) }
            coming.forEach { $0.willMove(toParent: self) }
        }
        whole.didCommit = {
            leaving.forEach { $0.didMove(toParent: nil) }
            coming.forEach { $0.didMove(toParent: self) }
        }
        try perform(whole)
    }

    private func setChildren(_ list: [ViewController], coming: [ViewController], leaving: [ViewController]) {
        for child in leaving {
            child.parent = nil
            child.noteDeparture(.removed)
            child.enter(nil)
        }
        children = list
        for child in coming {
            child.parent = self
            child.move = .added
            child.enter(hierarchyWindow)
        }
        hierarchyWindow?.visibilityDidChange(.unknown)
    }

    /// Checks that controllers can become children: not in use, all different, and none of them an ancestor.
    private func checkNewChildren(_ all: [ViewController], coming: [ViewController]) throws(HierarchyError) {
        var seen: Set<ObjectIdentifier> = []
        for child in all where !seen.insert(ObjectIdentifier(child)).inserted { throw .alreadyInUse("\(child)") }
        for child in coming {
            if child.contains(self) { throw .containsItself("\(child)") }
            if child.parent != nil || child.presenter != nil || child.rootWindow != nil {
                throw .alreadyInUse("\(child)")
            }
        }
    }
}
