// SPDX-License-Identifier: Apache-2.0

/// What windows and the device ask of the application.
extension Application {
    // MARK: Answers

    func answerWithoutDelegate() -> InterfaceOrientationMask {
        delegateDeclined = true
        return manifest.mask ?? idiom.defaultOrientations
    }

    /// The app's own mask, and who gave it.
    func askWindowMask(for window: Window) -> (InterfaceOrientationMask, String) {
        delegateDeclined = delegate == nil
        let mask =
            delegate?.application(self, supportedInterfaceOrientationsFor: window) ?? answerWithoutDelegate()
        guard delegateDeclined else { return (mask, "the application's delegate") }
        return (mask, manifest.mask == nil ? "the default of the idiom .\(idiom)" : "the manifest")
    }

    // MARK: Windows

    /// A window comes into sight; tells who was the key window.
    func enter(_ window: Window, asKey: Bool) -> [Window] {
        let former = keyWindows
        windows.append(window)
        if asKey { keyWindows = keyWindows.filter { $0 !== window } + [window] }
        updateGenerating()
        return former
    }

    func leave(_ window: Window, restoring former: [Window]?) {
        windows.removeAll { $0 === window }
        keyWindows = former ?? keyWindows.filter { $0 !== window }
        updateGenerating()
    }

    func makeKey(_ window: Window) throws {
        guard keyWindow !== window else { return }
        let (former, formerWindows) = (keyWindows, windows)
        keyWindows = keyWindows.filter { $0 !== window } + [window]
        windows = windows.filter { $0 !== window } + [window]
        do {
            try window.evaluate(
                Pending(shown: .init(cause: .windowMadeKey, subject: nil), isAnimated: true))
        } catch {
            (keyWindows, windows) = (former, formerWindows)
            throw error
        }
        keyMayHaveChanged()
    }

    /// The window that the status bar goes by: the last key window that has an interface to turn.
    var statusBarWindow: Window? { keyWindows.last { $0.coversScreen && $0.rootViewController != nil } }

    /// The status bar follows the key window, also when another becomes key without a turn or in the middle of one, and
    /// when who hears of it makes another one key.
    func keyMayHaveChanged() {
        guard !isFollowingKeyWindow else { return }
        isFollowingKeyWindow = true
        defer { isFollowingKeyWindow = false }
        var rounds = 0
        while let window = statusBarWindow, window.interfaceOrientation != statusBarOrientation {
            let orientation = window.interfaceOrientation
            guard rounds < RotationLimits.rounds else {
                statusBarOrientation = orientation
                return report(window.doesNotSettle(.keyWindows, after: rounds))
            }
            rounds += 1
            willTurnStatusBar(to: orientation, duration: 0)
            if let old = turnStatusBar(to: orientation) { didTurnStatusBar(from: old) }
        }
    }

    func willTurnStatusBar(to orientation: InterfaceOrientation, duration: Double) {
        guard orientation != statusBarOrientation else { return }
        delegate?.application(self, willChangeStatusBarOrientation: orientation, duration: duration)
        willChangeStatusBarOrientation.post((orientation, duration))
    }

    /// The value is new from here on; tells the old one if that is another.
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

    /// Settles the windows for which something has waited while another was asked.
    func settleAll() {
        guard !isSettling else { return }
        isSettling = true
        defer { isSettling = false }
        var rounds = 0
        while let next = windows.first(where: { $0.pending != nil && !$0.mustWait && !isSuspended }) {
            guard rounds < RotationLimits.rounds else {
                next.pending = nil
                return report(next.doesNotSettle(.changes, after: rounds))
            }
            rounds += 1
            next.settle()
        }
    }

    // MARK: The device

    /// The engine wants readings while a window is in sight that may turn, or a view that follows the device.
    func updateGenerating() {
        let needs =
            isActive
            && windows.contains {
                $0.coversScreen && $0.rootViewController != nil || $0.followsDevice
            }
        guard needs != isGenerator else { return }
        isGenerator = needs
        if needs {
            device.beginGeneratingDeviceOrientationNotifications()
        } else {
            device.endGeneratingDeviceOrientationNotifications()
        }
    }

    func deviceWillTell(isNewEdge: Bool) {
        for window in windows where isNewEdge && isActive {
            window.wait(for: Pending(hasNewEdge: true, isAnimated: true))
        }
    }

    func deviceDidTell(isNewEdge: Bool, lockOpened: Bool) {
        guard isActive else { return }
        for window in windows {
            if lockOpened { window.wait(for: Pending(lockOpened: true, isAnimated: true)) }
            window.settle()
            window.followReference()
        }
    }

    /// The lock was closed before the app could know of any edge. What is shown was decided without one, so it is decided
    /// again; else an app that starts under the lock would stay on its side for as long as the lock is closed.
    func lockToldFirstEdge() {
        for window in windows where window.takesPart && window.lastDecision != nil {
            window.wait(
                for: Pending(shown: .init(cause: .rootSet, subject: nil), isAnimated: window.hasShownFrame))
            window.settle()
        }
    }

    func everybodyMayHaveChanged() {
        do { try attemptRotationToDeviceOrientation() } catch { report(error) }
    }
}
