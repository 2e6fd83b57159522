// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensing

/// Who waits for the sensor thread to look at the sensors.
struct SensorSurveys {
    typealias Outcome = Result<[SensorDescription], SensorFailure>

    private var waiting: [Int: @MainActor (Outcome) -> Void] = [:]
    private var last = 0

    /// Somebody waits; the number by which the thread's answer will be known.
    mutating func add(_ answer: @escaping @MainActor (Outcome) -> Void) -> Int {
        last += 1
        waiting[last] = answer
        return last
    }

    /// Whom the thread's answer is for; nil where it came too late.
    mutating func take(_ request: Int) -> (@MainActor (Outcome) -> Void)? {
        waiting.removeValue(forKey: request)
    }

    /// All who wait, in the order in which they came: the thread does not answer.
    mutating func takeAll() -> [@MainActor (Outcome) -> Void] {
        defer { waiting = [:] }
        return waiting.sorted { $0.key < $1.key }.map(\.value)
    }
}
