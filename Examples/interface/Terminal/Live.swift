// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceRotation

/// About 60 frames in a second, while one is requested.
@MainActor final class DisplayClock: FrameClock {
    private let start = ContinuousClock.now

    func requestFrame(_ body: @escaping @MainActor (Double) -> Void) {
        Task {
            try? await Task.sleep(for: .milliseconds(16))
            body((ContinuousClock.now - start) / .seconds(1))
        }
    }
}

enum StandardInput {
    /// What is typed, line by line, without blocking the main thread.
    static func lines() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        Thread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }.start()
        return stream
    }
}
