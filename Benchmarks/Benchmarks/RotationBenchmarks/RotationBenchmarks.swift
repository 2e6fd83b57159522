// SPDX-License-Identifier: Apache-2.0

import Glibc
import InterfaceRotation
import OrientationModel

/// An app on a scripted device, without animation.
@MainActor private final class App {
    let device = Device()
    let clock = ManualFrameClock()
    let application: Application
    private var observers: [Counter] = []

    init() {
        application = Application(
            device: device, screen: Screen(size: Size(width: 320, height: 568)), frameClock: clock)
        application.rotationDuration = 0
        application.orientationFailureHandler = { fatalError("\($0)") }
    }

    /// Shows a window with this root.
    func show(_ root: ViewController) -> Window {
        let window = Window(application: application)
        perform {
            try window.setRootViewController(root)
            try window.makeKeyAndVisible()
        }
        return window
    }

    func addObservers(_ count: Int) {
        for _ in 0..<count {
            let observer = Counter()
            observers.append(observer)
            device.orientationDidChange.addObserver(observer) { observer, _ in observer.calls += 1 }
        }
    }

    func removeObservers() {
        for observer in observers { device.orientationDidChange.removeObserver(observer) }
    }

    var observerCalls: Int { observers.reduce(0) { $0 + $1.calls } }
}

@MainActor private final class Counter {
    var calls = 0
}

/// Counts its turns, so that a turn that leaves a controller out is noticed.
@MainActor private final class Page: ViewController {
    static var turns = 0

    override func didRotate(from orientation: InterfaceOrientation) { Self.turns += 1 }
}

@MainActor private func perform(_ body: () throws -> Void) {
    do { try body() } catch { fatalError("\(error)") }
}

/// The shapes of hierarchies, built on screen, one controller after the other.
@MainActor private enum Shape: String, CaseIterable {
    case sideBySide = "side by side"
    case nested
    case presented
    case covering = "presented, full screen"
    case windows
    case observers

    var counts: [Int] { self == .observers ? [100, 1_000, 10_000] : [10, 100, 1_000] }

    /// Whether a turn calls every controller; a full-screen one hides those below.
    var callsAll: Bool { self != .covering && self != .observers }

    /// Builds n controllers; returns the windows and the controllers that were added to the first one.
    func build(_ count: Int, in app: App) -> (windows: [Window], added: [Page]) {
        guard self != .windows else { return ((0..<count).map { _ in app.show(Page()) }, []) }
        let root = Page()
        let window = app.show(root)
        var last: ViewController = root
        var added: [Page] = []
        for _ in 1..<max(2, count) {
            let page = Page()
            perform {
                switch self {
                case .sideBySide, .nested:
                    let parent = self == .nested ? last : root
                    try parent.addChild(page)
                    parent.view.addSubview(page.view)
                    page.didMove(toParent: parent)
                case .presented, .covering:
                    page.modalPresentationStyle = self == .covering ? .fullScreen : .overFullScreen
                    try last.present(page)
                case .windows, .observers: break
                }
            }
            last = page
            added.append(page)
        }
        if self == .observers { app.addObservers(count) }
        return ([window], added)
    }

    /// Removes everything, one after the other: what contains or presents others last.
    func remove(_ windows: [Window], _ added: [Page], in app: App) {
        switch self {
        case .sideBySide, .nested:
            for page in self == .nested ? added.reversed() : added {
                page.willMove(toParent: nil)
                page.view.removeFromSuperview()
                page.removeFromParent()
            }
        case .presented, .covering:
            for page in added.reversed() { perform { try page.dismiss(animated: false) } }
        case .windows:
            for window in windows { window.isHidden = true }
        case .observers:
            app.removeObservers()
        }
    }
}

@MainActor private func milliseconds(_ body: () -> Void) -> Double {
    let start = ContinuousClock.now
    body()
    return (ContinuousClock.now - start) / .milliseconds(1)
}

private typealias Cost = (build: Double, turn: Double, remove: Double)

/// The shortest time of several builds, of the turns of each, and of the removals, in milliseconds.
@MainActor private func measure(_ shape: Shape, _ count: Int) -> Cost {
    var best = (build: Double.infinity, turn: Double.infinity, remove: Double.infinity)
    for _ in 0..<5 {
        let app = App()
        var built: (windows: [Window], added: [Page]) = ([], [])
        best.build = min(best.build, milliseconds { built = shape.build(count, in: app) })
        app.clock.run()
        app.device.update(.portrait)
        Page.turns = 0
        let turns: [DeviceOrientation] = [.landscapeLeft, .portraitUpsideDown, .landscapeRight, .portrait]
        for orientation in turns { best.turn = min(best.turn, milliseconds { app.device.update(orientation) }) }
        guard !shape.callsAll || Page.turns == count * turns.count else { fatalError("\(shape): a turn left some out") }
        guard shape != .observers || app.observerCalls == count * (turns.count + 1) else { fatalError("observers") }
        best.remove = min(best.remove, milliseconds { shape.remove(built.windows, built.added, in: app) })
        let isEmpty = built.added.allSatisfy { $0.parent == nil && $0.presentingViewController == nil }
        guard shape == .observers || isEmpty, shape != .windows || app.application.windows.isEmpty else {
            fatalError("\(shape): a removal left some")
        }
    }
    return best
}

/// Prints the cost of builds, turns and removals, and how it grows: 1 is linear, 2 quadratic, between the last two counts. The
/// arguments are the shapes to measure; by default all.
@main struct RotationBenchmarks {
    @MainActor static func main() {
        print("shape                     count   build, ms  growth    turn, ms  growth  remove, ms  growth")
        let names = CommandLine.arguments.dropFirst()
        for shape in Shape.allCases where names.isEmpty || names.contains(shape.rawValue) {
            var last: (count: Int, cost: Cost)?
            for count in shape.counts {
                let cost = measure(shape, count)
                func column(_ part: KeyPath<Cost, Double>) -> String {
                    var growth = "-"
                    if let last {
                        let factor = cost[keyPath: part] / last.cost[keyPath: part]
                        growth = rounded(log(factor) / log(Double(count) / Double(last.count)), 2)
                    }
                    return padded(rounded(cost[keyPath: part], 3), 11) + " " + padded(growth, 7)
                }
                print(
                    padded(shape.rawValue, 24, left: true), padded("\(count)", 6), column(\.build), column(\.turn),
                    column(\.remove))
                fflush(nil)
                last = (count, cost)
            }
        }
    }

    private static func rounded(_ value: Double, _ digits: Int) -> String {
        let factor = pow(10, Double(digits))
        let text = "\((value * factor).rounded() / factor)"
        let places = text.split(separator: ".").last?.count ?? 0
        return text + String(repeating: "0", count: max(0, digits - places))
    }

    private static func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
        let space = String(repeating: " ", count: max(0, width - text.count))
        return left ? text + space : space + text
    }
}
