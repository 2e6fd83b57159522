// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Recordings

/// An open source, or a paused recording, with its scale and its classifier.
final class SensorRun {
    var number: Int
    let source: any Accelerometer
    private(set) var classifier: OrientationClassifier
    /// The tilt classifier; nil if the tilt band is not reported.
    private(set) var tilt: TiltClassifier?
    private(set) var scale: ScaleEstimate
    /// The time at which the last sample was read, on CLOCK_MONOTONIC in seconds: a suspend is no silence.
    var lastSample: Double
    /// The newest sample in m/s²; nil before the first one.
    var lastVector: Acceleration?
    /// The facts with which the source was opened, or resumed.
    var facts: HardwareFacts
    /// Warnings about the classifier settings.
    var warnings: [String] = []
    /// The warning about the scale; until it is measured, that of an earlier run.
    private(set) var scaleWarning: String?
    private var hasReportedReason = false

    /// The longest time of readings that cannot be gravity, in seconds: longer than any fall, while even strong shaking
    /// passes through g. Less than ``SensorWorker/longestSilence``, whose message is less specific.
    static let longestTimeWithoutGravity = 4.0
    /// The time without gravity after which the reason is published, in seconds: longer than an impact.
    static let reportTime = 0.3

    /// Opens a run; `scaleWarning` is that of an earlier run of the same sensor.
    init(
        number: Int, source: any Accelerometer, classifier: OrientationClassifier, facts: HardwareFacts,
        reportsTilt: Bool, scaleWarning: String?, openedAt now: Double
    ) {
        self.facts = facts
        self.number = number
        self.source = source
        self.classifier = classifier
        self.scaleWarning = scaleWarning
        tilt = reportsTilt ? TiltClassifier() : nil
        let count = source.arithmetic.scale?.map(abs).max() ?? 1
        scale = ScaleEstimate(source.statesScale ? .stated : .unknown(count: count))
        lastSample = now
    }

    /// Returns a sample in m/s²; nil if it cannot be classified.
    ///
    /// Single readings that cannot be gravity are normal: devices are shaken and dropped. Over several seconds they are
    /// a fault, which the user can repair; without a report the orientation would only appear stuck.
    func correct(_ sample: Sample) throws(SensorFailure) -> Sample? {
        let corrected = scale.correct(sample, for: &classifier)
        if scale.isMeasured {
            // A wrong unit of a recording is not reported to the project.
            let remedy = source.isHardware ? "; report it with 'orientationctl doctor --report FILE'" : ""
            scaleWarning = scale.summary.map { $0 + remedy }
        }
        if source.isHardware, scale.timeWithoutGravity >= Self.longestTimeWithoutGravity {
            throw .implausible(messageWithoutGravity)
        }
        return corrected
    }

    /// Returns, once, why there is no orientation although samples arrive; nil if there is one, or not yet.
    func takeReasonWithoutGravity() -> String? {
        guard !hasReportedReason, !scale.hasReadGravity, scale.timeWithoutGravity >= Self.reportTime else { return nil }
        hasReportedReason = true
        return messageWithoutGravity
    }

    private var messageWithoutGravity: String {
        source.isHardware
            ? "the sensor has no gravity: \(scale.readingsWithoutGravity); check its scale and its mount matrix"
            : "\(source.info.name) has no gravity: \(scale.readingsWithoutGravity)"
    }

    /// Classifies a corrected sample; returns whether the pose or a reported tilt band changed.
    func classify(_ sample: Sample) -> Bool {
        let hasChanged = classifier.classify(sample) != nil
        return tilt?.follow(classifier, at: sample.time) == true || hasChanged
    }

    /// Returns the output of the classifiers, for a sample of this time in microseconds.
    func attitude(timestamp: Int64) -> Attitude {
        Attitude(
            pose: classifier.pose, lastEdge: classifier.lastPanelEdge, tilt: classifier.tilt, tiltBand: tilt?.band,
            disturbance: classifier.disturbance, timestamp: timestamp)
    }

    /// Whether the facts about the sensor have changed since it was opened.
    func isOutdated(by now: HardwareFacts) -> Bool {
        let id = source.info.id
        return facts.isProxyRunning != now.isProxyRunning
            || (facts.properties[id] ?? [:]) != (now.properties[id] ?? [:])
    }
}

/// The classifier settings for a device: from udev, else from the request.
struct ClassifierTuning {
    let settings: ClassifierSettings
    /// Errors in the udev property.
    let warnings: [String]

    init(_ request: SensorRequest, device: String) {
        guard let text = request.facts.value(of: .classifier, for: device) else {
            settings = request.settings
            warnings = []
            return
        }
        do {
            settings = try ClassifierSettings(text)
            warnings = []
        } catch {
            settings = request.settings
            warnings = ["\(SensorProperty.classifier.source): \(error)"]
        }
    }
}

/// The rate of events, counted over consecutive spans, without a timer.
struct RateMeter {
    /// The shortest span, in microseconds: samples arrive in batches.
    static let span: Int64 = 1_000_000

    /// The rate in the last complete span, in hertz; nil before.
    private(set) var rate: Double?
    private var start: Int64?
    private var number = 0

    /// Counts an event at a time in microseconds.
    mutating func count(at now: Int64) {
        guard let start else { return start = now }
        number += 1
        guard now - start >= Self.span else { return }
        rate = Double(number) * 1_000_000 / Double(now - start)
        self.start = now
        number = 0
    }
}
