// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// What windows and the device call in the application.
extension Application {
    // MARK: Answers

    /// The app's own mask in a window, and the name of its source.
    func queryWindowMask(for window: Window) -> (InterfaceOrientationMask, String) {
        if let delegate = window.delegate {
            declined.scene = nil
            let mask = delegate.supportedInterfaceOrientations(for: window)
            if declined.scene != ObjectIdentifier(delegate) { return (mask, "the window's delegate") }
        }
        if let delegate {
            declined.application = nil
            let mask = delegate.application(self, supportedInterfaceOrientationsFor: window)
            if declined.application != ObjectIdentifier(delegate) { return (mask, "the application's delegate") }
        }
        let isDefault = manifest.mask == nil || manifest.isInitialOnly
        let source = isDefault ? "the default of the idiom .\(idiom)" : "the manifest"
        return (supportedInterfaceOrientations(for: window), source)
    }

    // MARK: Windows

    /// Adds a window that becomes visible. A hidden window is no key window.
    func enter(_ window: Window, asKey: Bool) {
        windows.append(window)
        if asKey { keyWindows.append(window) }
        updateGenerating()
    }

    func leave(_ window: Window) {
        windows.removeObject(window)
        keyWindows.removeObject(window)
        updateGenerating()
    }

    func makeKey(_ window: Window) throws {
        guard keyWindow !== window else { return }
        let (former, formerWindows) = (keyWindows, windows)
        keyWindows.removeObject(window)
        keyWindows.append(window)
        windows.removeObject(window)
        windows.append(window)
        do {
            try window.evaluate(
                Pending(shown: .init(cause: .windowMadeKey, subject: nil), isAnimated: true))
        } catch {
            (keyWindows, windows) = (former, formerWindows)
            throw error
        }
        keyMayHaveChanged()
    }

    /// The window that gives the status bar its orientation: the last key window that has an interface to turn.
    var statusBarWindow: Window? { keyWindows.last(where: \.hasInterface) }

    /// Sets the status bar to the orientation of the key window, and announces locks that begin or end with it. Another
    /// window can become key without a turn, during one, or in an observer of this change.
    func keyMayHaveChanged() {
        guard !isFollowingKeyWindow, !isResizing else { return }
        followKeyWindow()
        settleAll()
    }

    /// The window whose orientation the screen's interface has: the key one, or another, that covers the screen.
    var interfaceWindow: Window? { statusBarWindow ?? windows.last(where: \.hasInterface) }

    /// The orientation of the screen's interface: of the key window, or another, that covers the screen or did; else the
    /// natural one, and before any window is visible the launch orientation.
    var interfaceOrientation: InterfaceOrientation {
        if statusBarWindow != nil { return statusBarOrientation }
        return windows.last(where: \.hasInterface)?.interfaceOrientation ?? lastInterface
            ?? (windows.isEmpty ? statusBarOrientation : screen.naturalInterfaceOrientation)
    }

    /// Notes the orientation of a window that covers the screen, or did: a callback may have made it smaller.
    func noteInterface(_ orientation: InterfaceOrientation) { lastInterface = decidedInterface ?? orientation }

    /// The orientation of the window that covers the screen; nil if none does, or while it is undecided.
    private var decidedInterface: InterfaceOrientation? {
        interfaceWindow.flatMap { $0.isUndecided ? nil : interfaceOrientation }
    }

    private func followKeyWindow() {
        isFollowingKeyWindow = true
        defer { isFollowingKeyWindow = false }
        defer {
            lastInterface = decidedInterface ?? lastInterface
            windows.forEach { $0.shareOrientation() }
        }
        for rounds in 0... {
            let window = statusBarWindow ?? keyWindow
            let orientation = statusBarWindow?.interfaceOrientation ?? statusBarOrientation
            let isTurned = orientation != statusBarOrientation
            guard isTurned || !windows.filter({ $0.announceGeometry() }).isEmpty else { return }
            guard rounds < RotationLimits.rounds else {
                statusBarOrientation = orientation
                return report(RotationDoesNotSettleError(.keyWindows, after: rounds, in: window))
            }
            willTurnStatusBar(to: orientation, duration: 0)
            if let old = turnStatusBar(to: orientation) { didTurnStatusBar(from: old) }
        }
    }

    func willTurnStatusBar(to orientation: InterfaceOrientation, duration: Double) {
        guard orientation != statusBarOrientation else { return }
        delegate?.application(self, willChangeStatusBarOrientation: orientation, duration: duration)
        willChangeStatusBarOrientation.post((orientation, duration))
    }

    /// Sets the new value; returns the old one if it differs.
    func turnStatusBar(to orientation: InterfaceOrientation) -> InterfaceOrientation? {
        let old = statusBarOrientation
        guard orientation != old else { return nil }
        statusBarOrientation = orientation
        return old
    }

    func didTurnStatusBar(from old: InterfaceOrientation) {
        delegate?.application(self, didChangeStatusBarOrientation: old)
        didChangeStatusBarOrientation.post(old)
        windows.forEach { $0.followReference() }
    }

    /// Performs pending work in rounds: a new size of the screen, or the pending evaluations of the windows. Each window
    /// is settled once per round, so the limit does not depend on their number.
    func settleAll() {
        guard !isSettling, pendingWindows > 0 || waitingScreenSize != nil else { return }
        isSettling = true
        // Until the error is reported: the handler may resize the screen, which waits for the next change.
        defer { isSettling = false }
        var error: RotationDoesNotSettleError?
        var rounds = 0
        while error == nil {
            if let size = takeScreenSize() {
                if rounds < RotationLimits.rounds {
                    changeScreen(to: size)
                } else {
                    error = RotationDoesNotSettleError(.screenSizes, after: rounds, in: keyWindow)
                }
            } else if pendingWindows > 0, case let waiting = windows.filter(\.canSettle), let first = waiting.first {
                if rounds < RotationLimits.rounds {
                    for window in waiting where window.canSettle { window.settleAlone() }
                } else {
                    for window in waiting { window.pending = nil }
                    error = RotationDoesNotSettleError(.changes, after: rounds, in: first)
                }
            } else {
                break
            }
            rounds += 1
        }
        if let error { report(error) }
    }

    // MARK: The device

    /// Requests readings while there is a visible window that can turn, or a view that follows the device.
    func updateGenerating() {
        device.request(byInterface: isActive && windows.contains { $0.hasInterface || $0.followsDevice })
    }

    /// Adds a turn of the device to the windows that it concerns, or to all. It ends their requests.
    func deviceWillPost(_ edge: Edge, isForced: Bool, isReading: Bool) {
        guard isActive else { return }
        for window in windows where isForced || window.isConcerned(by: edge, isReading: isReading) {
            window.requests = []
            window.wait(for: Pending(hasNewEdge: true, isForced: isForced, isAnimated: true))
        }
    }

    func deviceDidPost(lockTurnedOff: Bool) {
        defer { settleAll() }
        guard isActive else { return }
        for window in windows {
            if lockTurnedOff { window.wait(for: Pending(lockTurnedOff: true, isAnimated: true)) }
            window.settleAlone()
            window.followReference()
        }
    }

    /// The lock was turned on before any edge was known. Windows that were decided without an edge are decided again:
    /// otherwise an app that starts under the lock would keep its launch orientation while the lock is on.
    func lockHoldsEdge() {
        for window in windows where window.isRotatable && window.wasDecidedWithoutEdge {
            window.wait(
                for: Pending(shown: .init(cause: .rootSet, subject: nil), isAnimated: window.hasShownFrame))
            window.settle()
        }
    }
}
