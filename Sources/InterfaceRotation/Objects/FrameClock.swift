// SPDX-License-Identifier: Apache-2.0

/// The program's own frames: what moves, moves once in each. Nothing in this library sleeps or has a timer.
@MainActor public protocol FrameClock: AnyObject {
    /// Calls `body` once, at the next frame, with the time of the frame in seconds on any clock that does not jump.
    func requestFrame(_ body: @escaping @MainActor (_ time: Double) -> Void)
}

/// A frame clock that is moved by hand: for tests, and for programs that have their own loop.
@MainActor public final class ManualFrameClock: FrameClock {
    /// The time of the last frame in seconds.
    public private(set) var time: Double
    private var requests: [@MainActor (Double) -> Void] = []

    /// Makes a clock that shows this time, in seconds.
    public init(time: Double = 0) {
        self.time = time
    }

    /// Whether somebody waits for a frame: as long as not, nothing moves and a loop may wait.
    public var isFrameRequested: Bool { !requests.isEmpty }

    /// Calls `body` at the next ``advance(by:)``.
    public func requestFrame(_ body: @escaping @MainActor (Double) -> Void) {
        requests.append(body)
    }

    /// One frame, so many seconds after the last.
    public func advance(by seconds: Double) {
        time += seconds
        let due = requests
        requests = []
        for body in due { body(time) }
    }

    /// Frames until nobody asks for more, 60 in a second, at most `limit` of them.
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
