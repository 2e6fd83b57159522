// SPDX-License-Identifier: Apache-2.0

extension Application {
    /// The longest time between two frames of a running turn, in seconds. A compositor sends no frames to a window that
    /// is minimized or covered; without a limit, ``isRotating`` would stay true as long.
    public static var frameTimeout: Double { 1 }

    /// The time in seconds after which ``completeStalledTurns()`` must be called, 0 if it has work now; nil while
    /// nothing is animated. It is the timeout for a main loop that nothing else wakes.
    public var secondsUntilFrameTimeout: Double? {
        let now = frameClock.now
        return animations.values.map { max(0, $0.lastFrame + Self.frameTimeout - now) }.min()
    }

    /// Completes the turns and animations that have had no frame for ``frameTimeout``.
    ///
    /// ``Device/processUpdates()`` and every reading of the device call it. A device that follows an
    /// `OrientationConnection` wakes the main loop in time. Other programs call it when
    /// ``secondsUntilFrameTimeout`` has passed. Until the next frame, readings turn the interface without animation.
    public func completeStalledTurns() {
        guard !animations.isEmpty else { return }
        guard !device.isPosting, windowsInCallbacks == 0 else {
            // The wake-up has fired. Request the next one after the timeout: a callback may run a nested main loop, which
            // would otherwise spin.
            device.source?.wakeUp(device, after: Self.frameTimeout)
            return
        }
        let latest = frameClock.now - Self.frameTimeout
        let stalled = animations.filter { $0.value.lastFrame <= latest }.sorted { $0.key < $1.key }
        if !stalled.isEmpty {
            for window in windows {
                window.hasShownFrame = false
                window.waitForFrame()
            }
        }
        for (_, animation) in stalled { animation.finish() }
        requestWakeUp()
    }

    /// Requests a call of ``completeStalledTurns()`` from the device's source.
    func requestWakeUp() {
        device.source?.wakeUp(device, after: secondsUntilFrameTimeout)
    }

    /// Starts an animation at the next frame. ``finishRotation()`` and ``completeStalledTurns()`` can end it.
    @discardableResult
    func animate(
        duration: Double, step: @escaping @MainActor (Double) -> Void,
        completion: @escaping @MainActor () -> Void
    ) -> FrameAnimation {
        nextAnimation += 1
        let number = nextAnimation
        let animation = FrameAnimation(duration: duration, now: frameClock.now, step: step) { [weak self] in
            self?.animations[number] = nil
            if self?.animations.isEmpty == true { self?.requestWakeUp() }
            completion()
        }
        animations[number] = animation
        if animations.count == 1 { requestWakeUp() }
        requestFrame()
        return animation
    }

    /// Requests a frame, unless one is requested: while no frames come, requests do not pile up in the clock.
    func requestFrame() {
        guard !isFrameRequested else { return }
        isFrameRequested = true
        frameClock.requestFrame { [weak self] time in self?.frame(at: time) }
    }

    func layOutAtNextFrame(_ view: View) {
        if !viewsToLayOut.contains(where: { $0 === view }) { viewsToLayOut.append(view) }
        requestFrame()
    }

    private func layOutViews() {
        let views = viewsToLayOut
        viewsToLayOut = []
        for view in views {
            guard let window = view.window else { continue }
            window.inCallbacks { view.layoutIfNeeded() }
            window.drawAtRest()
            window.settle()
        }
    }

    /// Advances the animations that were started before this frame.
    private func frame(at time: Double) {
        isFrameRequested = false
        for window in windows { window.frameWasShown() }
        layOutViews()
        let now = frameClock.now
        for (_, animation) in animations.sorted(by: { $0.key < $1.key }) { animation.frame(at: time, now: now) }
        if !animations.isEmpty { requestFrame() }
    }
}
