// SPDX-License-Identifier: Apache-2.0

/// Calls the library once per frame of the program. Nothing in this library sleeps or has a timer.
@MainActor public protocol FrameClock: AnyObject {
    /// Calls `body` once, at the next frame, with the time of the frame in seconds on any clock that does not jump.
    func requestFrame(_ body: @escaping @MainActor (_ time: Double) -> Void)
}

/// A frame clock that the program advances: for tests, and for programs that have their own loop.
@MainActor public final class ManualFrameClock: FrameClock {
    /// The time of the last frame in seconds.
    public private(set) var time: Double
    private var requests: [@MainActor (Double) -> Void] = []

    /// Creates a clock that shows this time, in seconds.
    public init(time: Double = 0) {
        self.time = time
    }

    /// Whether a frame is requested. While false, nothing moves and a loop may block.
    public var isFrameRequested: Bool { !requests.isEmpty }

    /// Calls `body` at the next ``advance(by:)``.
    public func requestFrame(_ body: @escaping @MainActor (Double) -> Void) {
        requests.append(body)
    }

    /// Performs one frame, this many seconds after the last.
    public func advance(by seconds: Double) {
        time += seconds
        let due = requests
        requests = []
        for body in due { body(time) }
    }

    /// Advances until no frame is requested, 60 frames per second, at most `limit` frames.
    public func run(limit: Int = 600) {
        var frames = 0
        while isFrameRequested, frames < limit {
            advance(by: 1.0 / 60)
            frames += 1
        }
    }
}

/// A progress from 0 to 1 over the frames of a clock. It begins with the first frame.
@MainActor final class FrameAnimation {
    private let clock: any FrameClock
    private let duration: Double
    private var start: Double?
    private var step: (@MainActor (Double) -> Void)?
    private var completion: (@MainActor () -> Void)?

    init(
        on clock: any FrameClock, duration: Double, step: @escaping @MainActor (Double) -> Void,
        completion: @escaping @MainActor () -> Void
    ) {
        self.clock = clock
        self.duration = duration
        self.step = step
        self.completion = completion
    }

    func begin() {
        clock.requestFrame { [weak self] time in self?.frame(at: time) }
    }

    private func frame(at time: Double) {
        guard let step else { return }
        let began = start ?? time
        start = began
        let progress = duration > 0 ? (time - began) / duration : 1
        guard progress < 1 else { return finish() }
        step(max(0, progress))
        begin()
    }

    /// Ends now, as if the time were over.
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
    /// The map about the centre of the window with which to draw what has ``bounds``; between two orientations while
    /// the interface turns. Panel and compositor are counted in.
    public var transform: Transform
    /// The coordinates in which the interface is laid out: those of its new orientation from the first frame on.
    public var bounds: Rect
    /// The orientation that the interface has, or is turning to.
    public var orientation: InterfaceOrientation
    /// How far the turn is: from 0 to 1, and 1 at rest.
    public var progress: Double
}

/// Draws a window: a terminal, a canvas, a Wayland surface. It is called once per frame while the interface turns, and
/// once when something else changed.
@MainActor public protocol WindowSurface: AnyObject {
    /// Draws the window's content as `picture` says.
    func window(_ window: Window, shows picture: Picture)
}
