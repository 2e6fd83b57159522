// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import SeededRandomness
import Testing

/// Mounts, hides, shows and turns random hierarchies, and compares them with a model of what is in the window. Fixed
/// seeds make failures reproducible.
@MainActor @Suite(.onBothShapes) struct MembershipTests {
    @Test(arguments: [true, false])
    func `R32: in any hierarchy no controller is lost, no pair of callbacks is broken, and no view leaves its place`(
        isAnimated: Bool
    ) throws {
        for seed in (1...150 as ClosedRange<UInt64>).sampled {
            let hierarchy = try Hierarchy(seed: seed, isAnimated: isAnimated)
            for _ in 0..<40 {
                try hierarchy.act()
                let broken = hierarchy.faults()
                let steps = hierarchy.steps.joined(separator: "; ")
                #expect(broken.isEmpty, "seed \(seed): \(steps)")
                if !broken.isEmpty { return }
            }
        }
    }
}

/// A controller of the model.
@MainActor private final class Node {
    let controller: ViewController
    private(set) weak var parent: Node?
    private(set) var children: [Node] = []
    /// The view to which the program has added that of an arranged child.
    var place: View?
    var selected = 0

    init(_ controller: ViewController) { self.controller = controller }

    var isArranged: Bool { !(controller is NavigationController || controller is TabBarController) }
    var tree: [Node] { [self] + children.flatMap(\.tree) }
    /// Whether this is, or is in, a removed child whose view the program has left where it was, or a child whose view is
    /// in the window and not in its parent's view.
    var keepsPlace: Bool { place is Window || wasPoppedThere || parent?.keepsPlace ?? (place != nil) }
    /// Whether it was popped from a container that may be in the window without being visible: its view leaves later.
    var wasPoppedThere = false
    var checks: Checks? { (controller as? any Checked)?.checks }

    /// This and what is visible in it.
    var visible: [Node] {
        switch controller {
        case is NavigationController: [self] + (children.last?.visible ?? [])
        case is TabBarController: [self] + children[selected].visible
        default: [self] + children.filter { $0.place != nil }.flatMap(\.visible)
        }
    }

    func add(_ child: Node) {
        child.parent = self
        children.append(child)
    }

    func remove(_ child: Node) {
        child.parent = nil
        child.place = nil
        children.removeAll { $0 === child }
    }
}

@MainActor private final class Hierarchy {
    private let stage: Stage
    private var dice: SeededGenerator
    /// The root, and what is presented, bottom to top.
    private var chain: [Node] = []
    /// What has left.
    private var gone: [Node] = []
    private var boxes: [View] = []
    /// What was in the window when the last turn began, until it is compared.
    private var turning: Set<ObjectIdentifier> = []
    private var count = 0
    private(set) var steps: [String] = []

    init(seed: UInt64, isAnimated: Bool) throws {
        dice = SeededGenerator(seed: seed)
        stage = Stage(isAnimated: isAnimated)
        chain = [try node()]
        try stage.show(chain[0].controller)
        nodes.forEach { $0.checks?.calls = [] }
    }

    private func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &dice) == 0 }
    private var nodes: [Node] { chain.flatMap(\.tree) }

    /// Creates a page, or a container with pages.
    private func node() throws -> Node {
        count += 1
        let kind = Int.random(in: 0..<5, using: &dice)
        guard kind < 2, count < 30 else {
            let transforms = [Transform.identity, .identity, Transform(degrees: 90), Transform(scaleX: 0.5, y: 2)]
            let own = transforms.randomElement(using: &dice) ?? .identity
            return Node(Member("\(count)", own, hidesInTurns: chance(3)))
        }
        let pages = [try node(), try node()]
        let controllers = pages.map(\.controller)
        let container: Node
        if kind == 0 {
            container = Node(MemberTabs(viewControllers: controllers))
        } else {
            let navigation = MemberNavigation(rootViewController: controllers[0])
            try navigation.tryPushViewController(controllers[1])
            container = Node(navigation)
        }
        container.controller.title = "container \(count)"
        pages.forEach(container.add)
        return container
    }

    /// Performs a random step; mostly, a running animation ends then.
    func act() throws {
        switch Int.random(in: 0..<16, using: &dice) {
        case 0, 1: try addChild()
        case 2, 3: mountOrUnmount()
        case 4: removeChild()
        case 5, 6: hideOrShowView()
        case 7, 8: try changeContainer()
        case 9: try present()
        case 10: try dismiss()
        case 11: hideOrShowWindow()
        default: turn()
        }
        if !chance(3) { stage.clock.run() }
    }

    private func addChild() throws {
        guard let parent = nodes.filter(\.isArranged).randomElement(using: &dice), nodes.count < 25 else { return }
        let child = try node()
        steps.append("add \(child.controller) to \(parent.controller)")
        try parent.controller.tryAddChild(child.controller)
        parent.add(child)
        if !chance(4) { mount(child) }
        child.controller.didMove(toParent: parent.controller)
    }

    private func mount(_ child: Node) {
        guard let parent = child.parent?.controller else { return }
        steps.append("mount \(child.controller)")
        var place = parent.view
        if chance(6) {
            place = stage.window
        } else if chance(3) {
            place = View()
            boxes.append(place)
            parent.view.addSubview(place)
        }
        child.place = place
        place.addSubview(child.controller.view)
    }

    private var arranged: Node? { nodes.filter { $0.parent?.isArranged == true }.randomElement(using: &dice) }

    private func mountOrUnmount() {
        guard let child = arranged else { return }
        guard child.place != nil else { return mount(child) }
        steps.append("unmount \(child.controller)")
        child.place = nil
        child.controller.view.removeFromSuperview()
    }

    private func removeChild() {
        guard let child = arranged else { return }
        steps.append("remove \(child.controller)")
        child.controller.willMove(toParent: nil)
        let way = Int.random(in: 0..<3, using: &dice)
        if way == 0 { child.controller.viewIfLoaded?.removeFromSuperview() }
        child.controller.removeFromParent()
        if way == 1 { child.controller.viewIfLoaded?.removeFromSuperview() }
        let place = way == 2 ? child.place : nil
        child.parent?.remove(child)
        child.place = place
        gone.append(child)
    }

    private func hideOrShowView() {
        if chance(3), let box = boxes.indices.randomElement(using: &dice) {
            steps.append("hide or show box \(box)")
            boxes[box].isHidden.toggle()
        } else if let controller = nodes.randomElement(using: &dice)?.controller {
            steps.append("hide or show the view of \(controller)")
            controller.viewIfLoaded?.isHidden.toggle()
        }
    }

    private func changeContainer() throws {
        guard let container = nodes.filter({ !$0.isArranged }).randomElement(using: &dice) else { return }
        if let tabs = container.controller as? TabBarController {
            container.selected = 1 - container.selected
            steps.append("select in \(tabs)")
            try tabs.trySelect(container.selected)
        } else if let navigation = container.controller as? NavigationController {
            if container.children.count > 1, let page = container.children.last {
                steps.append("pop from \(navigation)")
                navigation.popViewController()
                page.wasPoppedThere = container.keepsPlace
                container.remove(page)
                gone.append(page)
            } else {
                let page = try node()
                steps.append("push \(page.controller) in \(navigation)")
                try navigation.tryPushViewController(page.controller)
                container.add(page)
            }
        }
    }

    private func present() throws {
        guard chain.count < 4, let top = chain.last else { return }
        let styles: [ModalPresentationStyle] = [.fullScreen, .overFullScreen, .formSheet, .currentContext]
        let node = try node()
        node.controller.modalPresentationStyle = styles.randomElement(using: &dice) ?? .fullScreen
        steps.append("present \(node.controller) as \(node.controller.modalPresentationStyle)")
        try top.controller.tryPresent(node.controller)
        chain.append(node)
    }

    private func dismiss() throws {
        guard chain.count > 1 else { return }
        let first = Int.random(in: 1..<chain.count, using: &dice)
        steps.append("dismiss \(chain[first].controller)")
        chain[first - 1].controller.dismiss()
        gone += chain[first...]
        chain.removeSubrange(first...)
    }

    private func hideOrShowWindow() {
        stage.window.isHidden.toggle()
        steps.append("window hidden: \(stage.window.isHidden)")
    }

    private func turn() {
        guard !stage.application.isRotating else { return }
        let edge = Edge.allCases.randomElement(using: &dice) ?? .portrait
        steps.append("turn \(edge)")
        turning = InterfaceOrientation(edge) == stage.orientation ? [] : Set(visible.map(ObjectIdentifier.init))
        stage.device.update(DeviceOrientation(edge))
    }

    /// What is in the window: all from the last presented controller that covers what is below it.
    private var visible: [Node] {
        guard !stage.window.isHidden else { return [] }
        var (bottom, covers) = (0, true)
        for (index, node) in chain.enumerated().dropFirst() {
            let style = node.controller.modalPresentationStyle
            covers = style != .formSheet && (style != .currentContext || covers)
            if covers, style != .overFullScreen { bottom = index }
        }
        return chain[bottom...].flatMap(\.visible)
    }

    /// Returns the differences from the model; during an animation only the errors.
    func faults() -> [String] {
        var faults = stage.errors.map { "\($0)" }
        guard !stage.application.isRotating else { return faults }
        let visible = Set(visible.map(ObjectIdentifier.init))
        defer { turning = [] }
        let orientation = stage.device.edge.map { InterfaceOrientation($0) }
        if !stage.window.isHidden, stage.orientation != orientation {
            faults.append("\(stage.orientation) with the edge of \(String(describing: orientation))")
        }
        for node in nodes + gone.flatMap(\.tree) {
            let (controller, view) = (node.controller, node.controller.viewIfLoaded)
            let isVisible = visible.contains(ObjectIdentifier(node))
            if !node.keepsPlace, (view?.window === stage.window) != isVisible {
                faults.append("\(controller): in the window: \(!isVisible)")
            }
            if controller.parent !== node.parent?.controller { faults.append("\(controller): another parent") }
            if node.children.map({ ObjectIdentifier($0.controller) }) != controller.children.map(ObjectIdentifier.init)
            {
                faults.append("\(controller): other children")
            }
            if node.parent?.isArranged == true || node.place != nil, view?.superview !== node.place {
                faults.append("\(controller): another superview")
            }
            let hadTurn = turning.contains(ObjectIdentifier(node))
            faults += node.checks?.faults(isVisible: isVisible, hadTurn: hadTurn).map { "\(controller): \($0)" } ?? []
            if isVisible { faults += geometryFaults(of: node) }
        }
        return faults
    }

    private func geometryFaults(of node: Node) -> [String] {
        let (controller, view) = (node.controller, node.controller.view)
        var faults: [String] = []
        let own = (controller as? Member)?.own ?? .identity
        let rotation = node.parent == nil ? stage.orientation.transform : .identity
        if view.effectiveTransform != own.concatenating(rotation) { faults.append("\(controller): another transform") }
        if controller.interfaceOrientation != stage.orientation { faults.append("\(controller): another orientation") }
        guard node.parent?.isArranged != true else { return faults }
        let outer = node.parent?.controller.view ?? stage.window
        let size = view.effectiveTransform.b == 0 ? outer.bounds.size : outer.bounds.size.swapped
        if view.superview !== outer || view.center != outer.bounds.center || view.bounds.size != size {
            faults.append("\(controller): does not fill what it is in")
        }
        return faults
    }
}

/// Checks the order of a controller's callbacks.
@MainActor private final class Checks {
    enum State { case hidden, coming, seen, going }
    private var state = State.hidden
    private var violations: [String] = []
    var calls: [String] = []

    func go(from old: State, to new: State) {
        if state != old { violations.append("\(state) and not \(old) before \(new)") }
        state = new
    }

    /// Returns the violations. A controller that left in the turn may have missed its end.
    func faults(isVisible: Bool, hadTurn: Bool) -> [String] {
        if state != (isVisible ? .seen : .hidden) { violations.append("\(state)") }
        let turn = ["will", "animate", "did"]
        let isWhole = hadTurn ? calls == turn || !isVisible && calls == turn.dropLast() : calls.isEmpty
        if !isWhole { violations.append("\(calls) in \(hadTurn ? "a" : "no") turn") }
        calls = []
        return violations
    }
}

@MainActor private protocol Checked { var checks: Checks { get } }

@MainActor private final class Member: ViewController, Checked {
    let checks = Checks()
    let own: Transform
    private let hidesInTurns: Bool

    init(_ title: String, _ own: Transform, hidesInTurns: Bool) {
        self.own = own
        self.hidesInTurns = hidesInTurns
        super.init(title: title)
    }

    override func viewDidLoad() { view.transform = own }
    override func viewWillAppear(_ animated: Bool) { checks.go(from: .hidden, to: .coming) }
    override func viewDidAppear(_ animated: Bool) { checks.go(from: .coming, to: .seen) }
    override func viewWillDisappear(_ animated: Bool) { checks.go(from: .seen, to: .going) }
    override func viewDidDisappear(_ animated: Bool) { checks.go(from: .going, to: .hidden) }

    override func willRotate(to orientation: InterfaceOrientation, duration: Double) {
        checks.calls.append("will")
        if hidesInTurns { view.isHidden = true }
    }
    override func willAnimateRotation(to orientation: InterfaceOrientation, duration: Double) {
        checks.calls.append("animate")
    }
    override func didRotate(from orientation: InterfaceOrientation) {
        checks.calls.append("did")
        if hidesInTurns { view.isHidden = false }
    }
}

@MainActor private final class MemberTabs: TabBarController, Checked {
    let checks = Checks()
    override func viewWillAppear(_ animated: Bool) { checks.go(from: .hidden, to: .coming) }
    override func viewDidAppear(_ animated: Bool) { checks.go(from: .coming, to: .seen) }
    override func viewWillDisappear(_ animated: Bool) { checks.go(from: .seen, to: .going) }
    override func viewDidDisappear(_ animated: Bool) { checks.go(from: .going, to: .hidden) }
    override func willRotate(to orientation: InterfaceOrientation, duration: Double) { checks.calls.append("will") }
    override func willAnimateRotation(to orientation: InterfaceOrientation, duration: Double) {
        checks.calls.append("animate")
    }
    override func didRotate(from orientation: InterfaceOrientation) { checks.calls.append("did") }
}

@MainActor private final class MemberNavigation: NavigationController, Checked {
    let checks = Checks()
    override func viewWillAppear(_ animated: Bool) { checks.go(from: .hidden, to: .coming) }
    override func viewDidAppear(_ animated: Bool) { checks.go(from: .coming, to: .seen) }
    override func viewWillDisappear(_ animated: Bool) { checks.go(from: .seen, to: .going) }
    override func viewDidDisappear(_ animated: Bool) { checks.go(from: .going, to: .hidden) }
    override func willRotate(to orientation: InterfaceOrientation, duration: Double) { checks.calls.append("will") }
    override func willAnimateRotation(to orientation: InterfaceOrientation, duration: Double) {
        checks.calls.append("animate")
    }
    override func didRotate(from orientation: InterfaceOrientation) { checks.calls.append("did") }
}
