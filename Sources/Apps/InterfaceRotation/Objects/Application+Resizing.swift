// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// A screen that changes its size.
extension Application {
    /// Resizes the screen and the windows that cover it; after the callbacks that are running.
    func resizeScreen(to size: Size) {
        waitingScreenSize = size
        if canResizeScreen { settleAll() }
    }

    /// Whether no callback of the program is running: a resize is not re-entrant.
    var canResizeScreen: Bool {
        !device.isPosting && !DecisionPass.isRunning(in: self) && windowsInCallbacks == 0 && !isFollowingKeyWindow
    }

    /// Removes and returns the size that the screen takes now; nil if there is none.
    func takeScreenSize() -> Size? {
        guard canResizeScreen, let size = waitingScreenSize else { return nil }
        waitingScreenSize = nil
        return size == screen.fixedBounds.size ? nil : size
    }

    /// Makes one change. What its callbacks request waits until it is complete: see ``Window/mustWait``.
    func changeScreen(to size: Size) {
        let visible = windows
        isResizing = true
        finishRotation()
        var announced: [(window: Window, coordinator: TransitionCoordinator)] = []
        for window in visible where window.followsScreen && window.isVisible {
            announced.append((window, window.announceScreen(of: size)))
        }
        let former = screen.shape
        screen.fixedBounds = Rect(size: size)
        func renamed(_ name: InterfaceOrientation) -> InterfaceOrientation {
            DisplayRotation(name, on: former).interface(on: screen.shape)
        }
        if lastInterface != nil, statusBarWindow == nil { statusBarOrientation = renamed(statusBarOrientation) }
        lastInterface = lastInterface.map(renamed)
        device.rename(to: screen.shape.natural)
        // Callbacks have shown and hidden windows.
        let renamed = windows.filter { $0.followNames() }
        for window in windows {
            if window.followsScreen {
                window.followSize()
            } else if window.coversScreen {
                window.geometryDidChange()
            } else if screen.safeArea != SafeArea() {
                // The distances to the safe area have changed.
                window.inCallbacks(window.layoutContent)
            }
        }
        for window in renamed where window.isRotatable { window.wait(for: window.becomingVisible(isAnimated: true)) }
        isResizing = false
        for (window, coordinator) in announced { window.inCallbacks { coordinator.runCompletions() } }
        visible.forEach { $0.settleAlone() }
        keyMayHaveChanged()
    }
}

extension Window {
    /// Calls `viewWillTransition` for a new size of the screen, which this window covers.
    fileprivate func announceScreen(of size: Size) -> TransitionCoordinator {
        let coordinator = TransitionCoordinator(resizing: self)
        inCallbacks {
            for controller in shownTopmostFirst {
                announce(size, in: interfaceOrientation, to: controller, with: coordinator)
            }
        }
        return coordinator
    }

    /// Updates the orientation names after a resize of the screen; returns whether they changed. The rotation of the
    /// picture stays, so its orientation has another name if the shape of the screen changed.
    @discardableResult
    fileprivate func followNames() -> Bool {
        guard namedShape != screenShape else { return false }
        interfaceOrientation = DisplayRotation(interfaceOrientation, on: namedShape).interface(on: screenShape)
        followedEdge = followedEdge?.renamed(from: namedShape.natural, to: screenShape.natural)
        requests = []
        namedShape = screenShape
        return true
    }

    /// Covers a screen that was resized.
    fileprivate func followSize() {
        guard !coversScreen, let screen = application?.screen else { return }
        settingGeometry { frame = screen.fixedBounds }
        if isVisible { inCallbacks(resizeContent) }
    }

    /// Takes names and geometry from a screen that was resized while the window was hidden.
    func followScreen() {
        followNames()
        if followsScreen { followSize() }
        followsScreen = coversScreen
    }
}
