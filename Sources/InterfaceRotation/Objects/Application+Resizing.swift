// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// A screen that changes its size.
extension Application {
    /// Resizes the screen and the windows that cover it; after the callbacks that are running.
    func resizeScreen(to size: Size) {
        let isBusy =
            isSettling || device.isPosting || DecisionPass.current != nil || windowsInCallbacks > 0
        guard !isBusy else {
            waitingScreenSize = size
            return
        }
        waitingScreenSize = nil
        guard size != screen.fixedBounds.size else { return }
        finishRotation()
        let visible = windows
        let covering = visible.filter(\.didCoverScreen)
        let coordinators = covering.map { $0.announceScreen(of: size) }
        screen.fixedBounds = Rect(size: size)
        screen.shape = PanelShape(width: size.width, height: size.height)
        device.rename(to: screen.shape.natural)
        let renamed = visible.filter { $0.followNames() }
        covering.forEach { $0.followSize() }
        for window in visible where !window.didCoverScreen && window.coversScreen { window.geometryDidChange() }
        for window in renamed where window.isRotatable { window.wait(for: window.becomingVisible(isAnimated: true)) }
        for (window, coordinator) in zip(covering, coordinators) {
            window.inCallbacks { coordinator.runCompletions() }
        }
        visible.forEach { $0.settleAlone() }
        settleAll()
        keyMayHaveChanged()
    }
}

extension Window {
    /// Calls `viewWillTransition` for a new size of the screen, which this window covers.
    fileprivate func announceScreen(of size: Size) -> TransitionCoordinator {
        let coordinator = TransitionCoordinator(resizing: self)
        let content = size.turned(to: interfaceOrientation, on: screenShape)
        inCallbacks {
            for controller in shownTopmostFirst where controller.viewIfLoaded?.bounds.size != content {
                controller.viewWillTransition(to: content, with: coordinator)
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
        lastRequest = nil
        namedShape = screenShape
        return true
    }

    /// Covers a screen that was resized.
    fileprivate func followSize() {
        guard let screen = application?.screen else { return }
        isFollowingScreen = true
        frame = screen.fixedBounds
        isFollowingScreen = false
        if isVisible { inCallbacks(resizeContent) }
    }

    /// Takes names and geometry from a screen that was resized while the window was hidden.
    func followScreen() {
        followNames()
        if didCoverScreen != coversScreen { followSize() }
    }
}
