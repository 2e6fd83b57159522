// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// Plays samples in their own time, and tells what the classifier makes of them as a daemon would.
@MainActor final class ReplayPlayer {
    /// Samples that are due within this are shown together, in seconds.
    private static let batch = 0.02

    private let recording: RecordedRun
    private let speed: Double
    private let display: any WatchDisplay
    private var classifier: OrientationClassifier
    private var device: WatchedDevice
    private var sequence = 0

    init(_ recording: RecordedRun, settings: ClassifierSettings, speed: Double, display: any WatchDisplay) {
        self.recording = recording
        self.speed = speed
        self.display = display
        classifier = OrientationClassifier(settings: settings)
        device = WatchedDevice(settings: settings)
        device.play(recording.name, at: 0, isOver: false)
    }

    func play() async throws {
        let samples = recording.samples
        let (start, clock) = (samples[0].time, ContinuousClock.now)
        var next = 0
        while next < samples.count {
            let time = samples[next].time
            // Without this, a recording whose clock jumps back would be waited for less than nothing.
            let wait = max(0, (time - start) / speed)
            if speed.isFinite { try await Task.sleep(until: clock + .seconds(min(wait, 1e9)), clock: .continuous) }
            var end = next + 1
            while end < samples.count, abs(samples[end].time - time) < Self.batch * min(speed, 1e6) { end += 1 }
            try take(samples[next..<end], isLast: end == samples.count)
            next = end
            try Task.checkCancellation()
        }
    }

    private func take(_ samples: ArraySlice<Sample>, isLast: Bool) throws {
        for sample in samples {
            guard let orientation = classifier.ingest(sample) else { continue }
            sequence += 1
            device.hear(state(orientation, sample.time))
            try display.show(device, after: .state)
        }
        device.hear(Array(samples))
        if let newest = samples.last {
            device.play(recording.name, at: newest.time - recording.samples[0].time, isOver: isLast)
        }
        try display.show(device, after: .samples)
    }

    private func state(_ orientation: DeviceOrientation, _ time: Double) -> OrientationState {
        OrientationState(
            orientation: orientation, lastEdge: classifier.lastEdge, tilt: classifier.tilt,
            disturbance: classifier.disturbance, sequence: sequence, instance: "replay",
            timestamp: Int64((min(max(time, -1e12), 1e12) * 1_000_000)), sensor: recording.device ?? "replay")
    }
}
