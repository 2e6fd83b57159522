// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Recordings

/// Plays samples at the times of their timestamps, and classifies them like a daemon.
@MainActor final class ReplayPlayer {
    /// The length of samples shown together, in seconds.
    private static let batch = 0.02

    private let recording: RecordedRun
    private let name: String
    private let speed: Double
    private let display: any WatchDisplay
    private var classifier: OrientationClassifier
    private(set) var scale = ScaleEstimate()
    private var device: WatchedDevice
    private var sequence = 0
    /// The start of the current pause; nil while playing.
    private var pausedAt: ContinuousClock.Instant?
    private var paused = Duration.zero
    private let (resumptions, resumption) = AsyncStream.makeStream(of: Void.self)

    init(
        _ recording: RecordedRun, name: String, settings: ClassifierSettings, speed: Double, display: any WatchDisplay
    ) {
        self.recording = recording
        self.name = name
        self.speed = speed
        self.display = display
        classifier = OrientationClassifier(settings: settings)
        device = WatchedDevice(settings: settings)
        device.play(name, at: 0, .running)
    }

    func play() async throws {
        let samples = recording.samples
        let (start, clock) = (samples[0].time, ContinuousClock.now)
        var next = 0
        while next < samples.count {
            let time = samples[next].time
            // Clamped, because the timestamps of a recording may decrease.
            let wait = max(0, (time - start) / speed)
            if speed.isFinite { try await sleep(until: clock + .seconds(min(wait, 1e9))) }
            var end = next + 1
            while end < samples.count, abs(samples[end].time - time) < Self.batch * min(speed, 1e6) { end += 1 }
            try show(samples[next..<end], isLast: end == samples.count)
            next = end
            try Task.checkCancellation()
        }
    }

    func togglePause() {
        guard case .playing(_, let seconds, let playback) = device.link, playback != .over else { return }
        if let pausedAt {
            paused += .now - pausedAt
            self.pausedAt = nil
            resumption.yield()
        } else {
            pausedAt = .now
        }
        device.play(name, at: seconds.value ?? 0, pausedAt == nil ? .running : .paused)
        // Only a picture pauses, which shows without an error.
        try? display.show(device, after: .samples)
    }

    /// Waits until a moment, plus the time of pauses.
    private func sleep(until moment: ContinuousClock.Instant) async throws {
        repeat {
            if pausedAt != nil { for await _ in resumptions { break } }
            try await Task.sleep(until: moment + paused, clock: .continuous)
        } while pausedAt != nil || .now < moment + paused
    }

    private func show(_ samples: ArraySlice<Sample>, isLast: Bool) throws {
        var corrected: [Sample] = []
        for uncorrected in samples {
            guard let sample = scale.correct(uncorrected, for: &classifier) else { continue }
            corrected.append(sample)
            guard let pose = classifier.classify(sample) else { continue }
            sequence += 1
            device.update(state(pose, sample.time))
            try display.show(device, after: .state)
        }
        device.update(corrected)
        if let newest = samples.last {
            device.play(name, at: newest.time - recording.samples[0].time, isLast ? .over : .running)
        }
        try display.show(device, after: .samples)
    }

    private func state(_ pose: PanelPose, _ time: Double) -> OrientationState {
        let natural = recording.natural
        return OrientationState(
            orientation: DeviceOrientation(pose, natural: natural),
            lastEdge: classifier.lastPanelEdge.map { Edge($0, natural: natural) }, natural: natural,
            tilt: classifier.tilt, disturbance: classifier.disturbance, sequence: sequence, instance: "replay",
            timestamp: Int64((min(max(time, -1e12), 1e12) * 1_000_000)), sensor: recording.header.device ?? "replay")
    }
}
