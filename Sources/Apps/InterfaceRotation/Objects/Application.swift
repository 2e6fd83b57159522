// SPDX-License-Identifier: Apache-2.0

@_exported public import OrientationModel
@_exported public import OrientationRules

/// Decides the orientations of the whole app and observes its status bar.
@MainActor public protocol ApplicationDelegate: AnyObject {
    /// The orientations that the app allows in a window, queried in every decision. An implementation *replaces* the
    /// manifest and may allow more. The default returns the manifest's orientations, else the idiom's. This is the older
    /// form: a window whose delegate implements ``WindowSceneDelegate/supportedInterfaceOrientations(for:)`` does not
    /// query it.
    func application(
        _ application: Application, supportedInterfaceOrientationsFor window: Window?
    ) -> InterfaceOrientationMask

    /// Called before the key window's interface turns; `duration` is in seconds, 0 without an animation.
    func application(
        _ application: Application, willChangeStatusBarOrientation orientation: InterfaceOrientation,
        duration: Double)

    /// Called when the key window's interface has its new orientation and the animation begins.
    func application(_ application: Application, didChangeStatusBarOrientation old: InterfaceOrientation)
}

extension ApplicationDelegate {
    /// The manifest's orientations, else the idiom's.
    public func application(
        _ application: Application, supportedInterfaceOrientationsFor window: Window?
    ) -> InterfaceOrientationMask {
        application.declined.application = ObjectIdentifier(self)
        return application.supportedInterfaceOrientations(for: window)
    }

    /// Has no effect.
    public func application(
        _ application: Application, willChangeStatusBarOrientation orientation: InterfaceOrientation,
        duration: Double
    ) {}

    /// Has no effect.
    public func application(
        _ application: Application, didChangeStatusBarOrientation old: InterfaceOrientation
    ) {}
}

/// The app: its windows, its rules, its device and its screen.
@MainActor public final class Application {
    /// The kind of device that the app is made for.
    public let idiom: UserInterfaceIdiom
    /// The rules by which the interface rotates.
    public let ruleSet: RuleSet
    /// The app's declared orientations.
    public let manifest: OrientationManifest
    /// The orientation of the hardware.
    public let device: Device
    /// The panel.
    public let screen: Screen
    /// The program's frame clock.
    public let frameClock: any FrameClock

    /// The delegate.
    public weak var delegate: (any ApplicationDelegate)?

    /// The duration of a quarter turn in seconds; a half turn takes twice as long.
    public var rotationDuration = 0.3

    /// Receives every error that has no caller: of a turn of the device, a removal or a deferred evaluation; and those of
    /// calls with UIKit's names, which do not throw, as ``RefusedCallError``. Without a handler they are written to
    /// standard error.
    public var orientationFailureHandler: (@MainActor (any Error) -> Void)?

    /// Posted before the key window's interface turns: the new orientation, and the duration in seconds.
    public let willChangeStatusBarOrientation = Observers<(to: InterfaceOrientation, duration: Double)>()
    /// Posted when the key window's interface has turned: the old orientation.
    public let didChangeStatusBarOrientation = Observers<InterfaceOrientation>()

    /// The visible windows, the rearmost first.
    public internal(set) var windows: [Window] = []
    /// The orientation of the key window's interface. Before there is a key window it is the launch orientation: the
    /// edge of the launch state, else the first in the manifest, or without a manifest the natural orientation of the
    /// screen.
    public internal(set) var statusBarOrientation: InterfaceOrientation
    /// Whether turns are animated.
    public private(set) var areAnimationsEnabled = true

    var keyWindows: [Window] = []
    var isSuspended = false
    var isSettling = false
    /// The number of windows with a pending evaluation.
    var pendingWindows = 0
    /// The number of windows in whose callbacks the program is.
    var windowsInCallbacks = 0
    var isFollowingKeyWindow = false
    /// The orientation of the window that covers the screen, or did last; nil before that.
    var lastInterface: InterfaceOrientation?
    /// The delegates whose answer in the running query is the default one.
    var declined: (scene: ObjectIdentifier?, application: ObjectIdentifier?)
    var animations: [Int: FrameAnimation] = [:]
    var nextAnimation = 0
    var isFrameRequested = false
    var viewsToLayOut: [View] = []
    /// The newest requested size of the screen, which waits for the end of callbacks.
    var waitingScreenSize: Size?
    /// Whether the screen and its windows are being resized.
    var isResizing = false

    /// Creates an app. One device and one screen belong to one app at a time.
    ///
    /// With a launch state the app starts in the orientation of its edge, or of its rotation lock, if the manifest
    /// allows it, so that the first frame is right and nothing is animated:
    ///
    ///     let state = try? OrientationConnection.current(timeout: .milliseconds(300))
    ///     let application = Application(screen: screen, frameClock: clock, launchState: state)
    ///
    /// - Parameters:
    ///   - idiom: The kind of device that the app is made for.
    ///   - ruleSet: The rules by which the interface rotates.
    ///   - manifest: The app's declared orientations.
    ///   - device: The orientation of the hardware.
    ///   - screen: The panel.
    ///   - frameClock: The program's frame clock.
    ///   - launchState: A state of the daemon that is known before the first frame; nil if there is none. The device
    ///     has its edge and its rotation lock; its orientation is the source's first reading, as always.
    public init(
        idiom: UserInterfaceIdiom = .pad, ruleSet: RuleSet = .modern, manifest: OrientationManifest = .none,
        device: Device = Device(), screen: Screen, frameClock: any FrameClock, launchState: OrientationState? = nil
    ) {
        self.idiom = idiom
        self.ruleSet = ruleSet
        self.manifest = manifest
        self.device = device
        self.screen = screen
        self.frameClock = frameClock
        statusBarOrientation = manifest.supportedInterfaceOrientations?.first ?? screen.naturalInterfaceOrientation
        device.join(self)
        screen.application = self
        if let launchState { launch(in: launchState) }
    }

    /// Completes the turns: no frame will.
    isolated deinit { animations.values.forEach { $0.finish() } }

    private func launch(in state: OrientationState) {
        device.launch(in: state)
        let allowed = (manifest.mask ?? idiom.defaultOrientations)
            .intersection(device.supportedInterfaceOrientations)
        if let orientation = device.edge.map({ InterfaceOrientation($0) }), allowed.contains(orientation) {
            statusBarOrientation = orientation
        }
    }

    /// The visible window that was made key last. It gives the status bar its orientation if it covers its screen and
    /// has a root view controller; otherwise the previous key window does.
    public var keyWindow: Window? { keyWindows.last }

    /// Whether a turn is running in any window.
    public var isRotating: Bool { windows.contains(where: \.isRotating) }

    /// Whether input should be ignored, because the interface is turning.
    public var isIgnoringInteractionEvents: Bool { isRotating }

    /// Whether a window is visible and the app is not suspended. While false, no decision is made and no sensor is
    /// needed.
    public var isActive: Bool { !isSuspended && !windows.isEmpty }

    // MARK: Operations

    /// Decides again in all windows, and follows the device, as in iOS 5 to 15. Errors go to
    /// ``orientationFailureHandler``.
    public func attemptRotationToDeviceOrientation() {
        for window in windows { window.answersChanged() }
    }

    /// Ends all running turns immediately: for programs that stop drawing.
    public func finishRotation() {
        windows.forEach { $0.turn?.finish() }
        animations.values.forEach { $0.finish() }
    }

    /// Runs `body` without animations: a turn is complete when the call that causes it returns.
    public func withoutAnimation<Result>(_ body: () throws -> Result) rethrows -> Result {
        let former = areAnimationsEnabled
        areAnimationsEnabled = false
        defer { areAnimationsEnabled = former }
        return try body()
    }

    /// Suspends the app, whose windows are not hidden but cannot be seen: minimized, or on another workspace.
    public func suspend() {
        finishRotation()
        isSuspended = true
        updateGenerating()
    }

    /// Resumes the app: one decision in each window, without animation.
    public func resume() {
        guard isSuspended else { return }
        isSuspended = false
        withoutAnimation {
            updateGenerating()
            windows.forEach { $0.becameVisible(isAnimated: false) }
        }
    }

    /// Reports an error that has no caller.
    func report(_ error: any Error) {
        guard let orientationFailureHandler else { return StandardError.write("\(error)") }
        orientationFailureHandler(error)
    }
}
