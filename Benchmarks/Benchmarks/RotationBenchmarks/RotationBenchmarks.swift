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

    /// Builds n controllers; returns what must be kept.
    func build(_ count: Int, in app: App) -> [AnyObject] {
        guard self != .windows else { return (0..<count).map { _ in app.show(Page()) } }
        let root = Page()
        let window = app.show(root)
        var last: ViewController = root
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
        }
        if self == .observers { app.addObservers(count) }
        return [window]
    }
}

@MainActor private func milliseconds(_ body: () -> Void) -> Double {
    let start = ContinuousClock.now
    body()
    return (ContinuousClock.now - start) / .milliseconds(1)
}

/// The shortest time of several builds and of the turns of each, in milliseconds.
@MainActor private func measure(_ shape: Shape, _ count: Int) -> (build: Double, turn: Double) {
    var best = (build: Double.infinity, turn: Double.infinity)
    for _ in 0..<5 {
        let app = App()
        var kept: [AnyObject] = []
        best.build = min(best.build, milliseconds { kept = shape.build(count, in: app) })
        app.clock.run()
        app.device.update(.portrait)
        Page.turns = 0
        let turns: [DeviceOrientation] = [.landscapeLeft, .portraitUpsideDown, .landscapeRight, .portrait]
        for orientation in turns { best.turn = min(best.turn, milliseconds { app.device.update(orientation) }) }
        guard !shape.callsAll || Page.turns == count * turns.count else { fatalError("\(shape): a turn left some out") }
        guard shape != .observers || app.observerCalls == count * (turns.count + 1) else { fatalError("observers") }
        withExtendedLifetime(kept) {}
    }
    return best
}

/// Prints the cost of builds and turns, and how it grows: 1 is linear, 2 quadratic, between the last two counts. The
/// arguments are the shapes to measure; by default all.
@main struct RotationBenchmarks {
    @MainActor static func main() {
        print("shape                     count   build, ms  growth    turn, ms  growth")
        let names = CommandLine.arguments.dropFirst()
        for shape in Shape.allCases where names.isEmpty || names.contains(shape.rawValue) {
            var last: (count: Int, cost: (build: Double, turn: Double))?
            for count in shape.counts {
                let cost = measure(shape, count)
                func growth(_ part: KeyPath<(build: Double, turn: Double), Double>) -> String {
                    guard let last else { return "-" }
                    return rounded(
                        log(cost[keyPath: part] / last.cost[keyPath: part]) / log(Double(count) / Double(last.count)), 2
                    )
                }
                print(
                    padded(shape.rawValue, 24, left: true), padded("\(count)", 6),
                    padded(rounded(cost.build, 3), 11), padded(growth(\.build), 7),
                    padded(rounded(cost.turn, 3), 11), padded(growth(\.turn), 7))
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
