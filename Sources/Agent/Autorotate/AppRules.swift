// SPDX-License-Identifier: Apache-2.0

internal import DesktopEntry
internal import Displays
internal import OrientationModel
internal import OrientationRules
internal import Posix

/// The restrictions that apps set: the window in front, the declaration of its desktop file, and the holds. A value;
/// `OrientationRules` decides.
struct AppRules: Sendable {
    /// The window in front, as far as the display server reports it.
    enum Front: Hashable, Sendable {
        case notReported
        /// The server has no interface for it; the reason, as a sentence.
        case unsupported(String)
        case window(FrontWindow?)
    }

    /// The content whose last orientation is kept, for the return to it.
    private struct Scene: Hashable {
        let app: String?
        let isHeld: Bool
    }

    /// The inputs of a decision that come from apps.
    private struct Presentation {
        var window: FrontWindow?
        var declared: [InterfaceOrientation]?
        var holds: [OrientationHold] = []
    }

    /// The number of apps whose last orientation is kept. 64: more than a session shows between two turns of the device.
    static let maximumScenes = 64

    private let condition: Settings.AppsWhen
    /// The natural orientation of the device.
    var natural = Edge.portrait
    private(set) var front = Front.notReported
    /// The newest window in front, until its declaration is known.
    private var unresolvedWindow: FrontWindow?
    /// The declaration of the window in front, also of one that is not large enough to count.
    private var declaration: AppDeclaration?
    /// Oldest first.
    private(set) var holds: [OrientationHold] = []
    /// The holds with a preferred orientation that was already used.
    private var presented: Set<Int> = []
    private var lastShown: [Scene: InterfaceOrientation] = [:]
    /// The scene of the last decision.
    private var lastDecidedContent = Scene(app: nil, isHeld: false)
    /// The output that rotates: windows on other outputs do not count.
    var output: String?
    /// The window in front during the last rotation. The rotation can move it to another output, as a window at the right
    /// edge of an output that becomes narrower: it still counts, or it would turn the display back and forth.
    private var windowDuringRotation: UInt64?
    /// Whether windows may still move with the last rotation.
    private var isRotating = false

    init(_ condition: Settings.AppsWhen) {
        self.condition = condition
    }

    // MARK: Changes

    /// Keeps the former window in front until the declaration of this one is known.
    mutating func awaitDeclaration(of window: FrontWindow) { unresolvedWindow = window }

    /// Sets the declaration of the newest window in front, also a second time: a slow lookup replies after its timeout.
    /// Returns the cause of a decision. The declaration of another window, or of this one under a former app ID, is ignored:
    /// the newest one's follows.
    mutating func setDeclaration(_ new: AppDeclaration?, of window: FrontWindow) -> SessionCause? {
        guard unresolvedWindow.map({ .window($0) }) ?? front == .window(window) else { return nil }
        return setFront(.window(window), declaration: new)
    }

    /// Sets the window in front; returns the cause of a decision.
    mutating func setFront(_ new: Front, declaration: AppDeclaration? = nil) -> SessionCause? {
        (front, unresolvedWindow) = (new, nil)
        self.declaration = declaration
        forgetWindowDuringRotation()
        return change()
    }

    /// Sets the holds, oldest first; returns the cause of a decision.
    mutating func setHolds(_ new: [OrientationHold]) -> SessionCause? {
        holds = new
        presented.formIntersection(new.filter { $0.preferred != nil }.map(\.id))
        return change()
    }

    /// A rotation begins: the window in front belongs to the output, wherever the rotation moves it.
    mutating func rotationBegan() { (windowDuringRotation, isRotating) = (window?.id, true) }

    /// Windows have followed the last rotation.
    mutating func rotationEnded() {
        isRotating = false
        forgetWindowDuringRotation()
    }

    /// The window is like any other once another one is in front, or once it is on the output after the rotation.
    private mutating func forgetWindowDuringRotation() {
        guard case .window(let window?) = front, window.id == windowDuringRotation else {
            return windowDuringRotation = nil
        }
        if !isRotating, isOnOutput(window) { windowDuringRotation = nil }
    }

    private func isOnOutput(_ window: FrontWindow) -> Bool {
        window.output == nil || output == nil || window.output == output
    }

    /// What the last decision was based on.
    private var shown = Presentation()

    /// Returns what has changed for the display since the last decision.
    private mutating func change() -> SessionCause? {
        let (old, new) = (shown, presentation)
        shown = new
        guard let former = old.window, let window = new.window, former.id == window.id else {
            if old.window?.id != new.window?.id { return .front(new.window) }
            return old.holds == new.holds ? nil : .holds(from: old.holds, to: new.holds)
        }
        if old.declared != new.declared { return .declaration(declaration?.fileName, from: former, to: window) }
        return old.holds == new.holds ? nil : .holds(from: old.holds, to: new.holds)
    }

    /// Forgets the orientations of former apps: they have other names on a device with another natural orientation.
    mutating func forgetOrientations() { lastShown = [:] }

    /// Keeps the orientation of what is shown and of what was shown before, and that its preferred orientation was used.
    mutating func record(_ decision: OrientationDecision, from current: InterfaceOrientation) {
        if scene != lastDecidedContent { lastShown[lastDecidedContent] = current }
        lastDecidedContent = scene
        if lastShown.count >= Self.maximumScenes { forgetOrientations() }
        lastShown[scene] = decision.orientation
        presented.formUnion(holdsInForce.filter { $0.preferred != nil }.map(\.id))
    }

    // MARK: Answers

    /// The window in front on the output that rotates.
    var window: FrontWindow? {
        guard condition != .never, case .window(let window?) = front else { return nil }
        return isOnOutput(window) || window.id == windowDuringRotation ? window : nil
    }

    var declarationInFront: AppDeclaration? { window == nil ? nil : declaration }

    var declared: [InterfaceOrientation]? {
        window.map { condition.counts($0) } == true ? declaration?.orientations?.interfaces(natural: natural) : nil
    }

    /// Why no declared orientations apply; nil if they do.
    var undeclared: String? {
        guard window != nil, declared == nil else { return nil }
        guard let declaration else { return "no desktop file found" }
        guard declaration.orientations != nil else {
            return declaration.failure ?? "the desktop file has no line \(DeclaredOrientations.key)"
        }
        return condition == .maximized
            ? "the window is not maximized or in full screen (--apps-when maximized)"
            : "the window is not in full screen (--apps-when fullscreen)"
    }

    /// The desktop file of the declared orientations that apply.
    var declaredFile: String? { declared == nil ? nil : declaration?.fileName }

    /// The holds that apply, oldest first.
    var holdsInForce: [OrientationHold] { holds.filter(isInForce) }

    func isInForce(_ hold: OrientationHold) -> Bool {
        guard condition != .never else { return false }
        guard let appID = hold.appID?.lowercased() else { return true }
        guard case .window = front else { return true }
        guard let window else { return false }
        return [window.appID, window.instance, declaration?.id].contains {
            $0?.lowercased().hasBytes(of: appID) ?? false
        }
    }

    var isRestricting: Bool { declared != nil || !holdsInForce.isEmpty }

    /// Whether a hold comes into force whose preferred orientation was not used yet.
    var isPresenting: Bool { holdsInForce.contains { $0.preferred != nil && !presented.contains($0.id) } }

    private var presentation: Presentation {
        Presentation(window: window, declared: declared, holds: holdsInForce)
    }

    private var scene: Scene {
        Scene(app: window.map { $0.appID ?? "" }, isHeld: !holdsInForce.isEmpty)
    }

    /// Fills in the answers of the apps.
    func answer(_ c: inout OrientationCircumstances) {
        c.controller = "the app in front"
        c.lastShown = lastShown[scene] ?? .unknown
        var sources: [String] = []
        if let declared, let declaration {
            c.windowMask = InterfaceOrientationMask(declared)
            c.manifest = declared
            sources.append(declaration.fileName)
        }
        var holds = holdsInForce
        // The hold that is presented, otherwise the newest one, has the place of the topmost view controller.
        let top = holds.lastIndex { $0.preferred != nil && !presented.contains($0.id) } ?? holds.indices.last
        if let top {
            let hold = holds.remove(at: top)
            c.controller = hold.name
            c.controllerMask = hold.mask(natural: natural)
            c.preferred = hold.first(natural: natural)
            c.isLockedByApp = hold.isLocked || holds.contains(where: \.isLocked)
        }
        let heldMask = holds.reduce(InterfaceOrientationMask.all) { $0.intersection($1.mask(natural: natural)) }
        c.windowMask.formIntersection(heldMask)
        if let hold = holds.first {
            let others = holds.count == 1 ? hold.name : "\(holds.count) other holds"
            // A user can end programs, not change what they hold.
            if heldMask.isDisjoint(with: c.controllerMask) { c.conflictRemedy = "end \(c.controller) or \(others)" }
            sources.append(sources.isEmpty && holds.count > 1 ? "the set of " + others : others)
        }
        if !sources.isEmpty { c.windowMaskSource = sources.joined(separator: " with ") }
        if c.windowMask.isEmpty { c.windowMaskConflict = conflict(of: holds) }
    }

    /// Which sources besides the topmost hold have no common orientation, and what to do.
    private func conflict(of holds: [OrientationHold]) -> String {
        let others = holds.count == 1 ? holds[0].name : "the \(holds.count) other holds"
        guard declared != nil, let file = declaration?.fileName else {
            return "\(others) have no orientation in common; end one of them"
        }
        return "\(file) and \(others) have no orientation in common; end \(holds.count == 1 ? "the hold" : "a hold")"
    }
}
