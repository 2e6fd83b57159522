// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The program's frames, which drive animations. The library itself neither sleeps nor has a timer.
@MainActor public protocol FrameClock: AnyObject {
    /// Calls `body` once, at the next frame, with the time of the frame in seconds on a monotonic clock.
    func requestFrame(_ body: @escaping @MainActor (_ time: Double) -> Void)

    /// The current time in seconds, on any monotonic clock that continues while no frames come: it is compared with
    /// itself only. The default is `CLOCK_MONOTONIC`.
    var now: Double { get }
}

extension FrameClock {
    /// The time of `CLOCK_MONOTONIC` in seconds.
    public var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// The frame clock of a program with a loop of its own, such as a game: the loop calls ``frame()`` whenever it draws.
///
///     while isRunning {
///         application.device.processUpdates()
///         clock.frame()
///         draw(window.picture)
///     }
///
/// The clock is `CLOCK_MONOTONIC`. It continues while the loop does not draw, as for a minimized window, so a turn
/// whose frames have stopped is completed.
@MainActor public final class LoopFrameClock: FrameClock {
    private var requests: [@MainActor (Double) -> Void] = []

    /// Creates a clock.
    public init() {}

    /// Whether a frame is requested. If false, nothing is animated and a loop can block.
    public var isFrameRequested: Bool { !requests.isEmpty }

    /// Calls `body` at the next ``frame()``.
    public func requestFrame(_ body: @escaping @MainActor (Double) -> Void) { requests.append(body) }

    /// Performs one frame, at the current time.
    public func frame() {
        let (bodies, time) = (requests, now)
        requests = []
        for body in bodies { body(time) }
    }
}

/// A frame clock whose time the program sets: for tests and simulations.
///
/// The time passes only in the calls of this class. A program that draws with it must call
/// ``advanceWithoutFrame(by:)`` while it does not draw: otherwise a turn whose frames have stopped is never completed.
/// ``LoopFrameClock`` needs no such call.
@MainActor public final class ManualFrameClock: FrameClock {
    /// The current time, in seconds: the time of the last frame, unless time has passed without one.
    public private(set) var time: Double
    private var requests: [@MainActor (Double) -> Void] = []

    /// Creates a clock that starts at this time, in seconds.
    public init(time: Double = 0) {
        self.time = time
    }

    /// The current time, in seconds.
    public var now: Double { time }

    /// Whether a frame is requested. If false, nothing is animated and a loop can block.
    public var isFrameRequested: Bool { !requests.isEmpty }

    /// Calls `body` at the next ``advance(by:)``.
    public func requestFrame(_ body: @escaping @MainActor (Double) -> Void) {
        requests.append(body)
    }

    /// Performs one frame, this many seconds after the last.
    public func advance(by seconds: Double) {
        time += seconds
        let bodies = requests
        requests = []
        for body in bodies { body(time) }
    }

    /// Lets this many seconds pass without a frame, as while a window is minimized. After ``Application/frameTimeout``,
    /// ``Device/processUpdates()`` completes a turn that is running.
    public func advanceWithoutFrame(by seconds: Double) {
        time += seconds
    }

    /// Advances at 60 frames per second until no frame is requested, by at most `limit` frames.
    public func run(limit: Int = 600) {
        var frames = 0
        while isFrameRequested, frames < limit {
            advance(by: 1.0 / 60)
            frames += 1
        }
    }
}

/// An animation: calls `step` with a progress from 0 to 1 at each frame. The first frame has progress 0.
@MainActor final class FrameAnimation {
    private let duration: Double
    private var start: Double?
    /// The time of the last frame, or of the creation, on `FrameClock.now`.
    private(set) var lastFrame: Double
    private var step: (@MainActor (Double) -> Void)?
    private var completion: (@MainActor () -> Void)?

    init(
        duration: Double, now: Double, step: @escaping @MainActor (Double) -> Void,
        completion: @escaping @MainActor () -> Void
    ) {
        lastFrame = now
        self.duration = duration
        self.step = step
        self.completion = completion
    }

    /// Advances to the time of a frame; `now` is on `FrameClock.now`.
    func frame(at time: Double, now: Double) {
        guard let step else { return }
        lastFrame = now
        let began = start ?? time
        start = began
        let progress = duration > 0 ? (time - began) / duration : 1
        guard progress < 1 else { return finish() }
        step(max(0, progress))
    }

    /// Ends the animation now, with progress 1.
    func finish() {
        guard let step, let completion else { return }
        self.step = nil
        self.completion = nil
        step(1)
        completion()
    }
}

/// The geometry with which to draw a window in one frame.
public struct Picture: Hashable, Sendable {
    /// The transform about the center of the window with which to draw the content that is laid out in ``bounds``. It
    /// includes the rotations of panel and compositor, and lies between two orientations while the interface turns.
    public var transform: Transform
    /// The bounds in which the content is laid out: in the new orientation from the first frame of a turn.
    public var bounds: Rect
    /// The orientation of the interface; during a turn the new one.
    public var orientation: InterfaceOrientation
    /// The progress of the turn, 0 to 1; 1 at rest.
    public var progress: Double
}

/// Draws a window: on a terminal, a canvas or a Wayland surface. Called once per frame while the interface turns, and
/// once after any other change.
@MainActor public protocol WindowSurface: AnyObject {
    /// Draws the content of the window with this geometry.
    func window(_ window: Window, shows picture: Picture)
}
