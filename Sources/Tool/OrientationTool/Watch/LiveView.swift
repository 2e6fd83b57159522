// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

@MainActor protocol WatchDisplay: AnyObject {
    func show(_ device: WatchedDevice, after event: WatchEvent) throws
}

/// The events after which the display is updated.
enum WatchEvent {
    case state
    case lost
    case samples
    case command
}

/// The picture on the terminal. Redraws only changes, at a limited rate.
@MainActor final class LiveView: WatchDisplay {
    /// The interval between frames: at most 20 per second.
    private static let pause = Duration.milliseconds(50)

    private var terminal: Terminal?
    private let change: ScreenChange
    private let grain: Grain
    private let onEnd: @MainActor () -> Void
    private var device: WatchedDevice?
    private var shown: Screen?
    private var nextFrame = ContinuousClock.now
    private var pendingFrame: Task<Void, Never>?
    private var signals: [SignalWatch] = []
    private var keys: (any DispatchSourceRead)?

    /// Takes over the terminal; calls `onEnd` when the user presses q.
    init(hasColours: Bool, onEnd: @escaping @MainActor () -> Void) {
        change = ScreenChange(hasColours: hasColours)
        grain = Terminal.grain
        self.onEnd = onEnd
        terminal = Terminal()
        signals = [
            SignalWatch(SIGWINCH) { [weak self] in self?.draw() },
            SignalWatch(SIGTSTP) { [weak self] in self?.pauseProgram() },
            SignalWatch(SIGCONT) { [weak self] in self?.resume() },
        ]
        if isatty(STDIN_FILENO) == 1 { watchKeys() }
    }

    func close() {
        pendingFrame?.cancel()
        keys?.cancel()
        signals = []
        terminal = nil
    }

    func show(_ device: WatchedDevice, after event: WatchEvent) {
        guard device != self.device else { return }
        self.device = device
        guard pendingFrame == nil else { return }
        let now = ContinuousClock.now
        guard now < nextFrame else { return draw() }
        pendingFrame = Task { [nextFrame] in
            // Cancelled with the task.
            try? await Task.sleep(until: nextFrame, clock: .continuous)
            guard !Task.isCancelled else { return }
            self.pendingFrame = nil
            self.draw()
        }
    }

    private func draw() {
        guard terminal != nil, let device else { return }
        let size = Terminal.size()
        let screen = Picture(device: device, grain: grain).screen(columns: size.columns, rows: size.rows)
        let text = change.text(from: shown, to: screen)
        shown = screen
        nextFrame = .now + Self.pause
        if !text.isEmpty { terminal?.write(text) }
    }

    private func redraw() {
        shown = nil
        draw()
    }

    /// Handles Ctrl-Z: restores the terminal for the shell.
    private func pauseProgram() {
        terminal?.leave()
        raise(SIGSTOP)
    }

    private func resume() {
        terminal?.enter()
        redraw()
    }

    private func watchKeys() {
        let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.readKeys() } }
        source.resume()
        keys = source
    }

    private func readKeys() {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else {
            // End of input. A closed terminal also sends SIGHUP.
            keys?.cancel()
            return
        }
        for byte in bytes[..<count] {
            switch byte {
            case UInt8(ascii: "q"), UInt8(ascii: "Q"): onEnd()
            case 0x0C: redraw()  // Ctrl-L
            default: break
            }
        }
    }
}
