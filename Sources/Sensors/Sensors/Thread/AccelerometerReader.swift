// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix
internal import Recordings

/// An open accelerometer, or a paused recording, with its scale and its classifier.
final class AccelerometerReader: SensorReader {
    let source: any Accelerometer
    private(set) var classifier: OrientationClassifier
    /// The tilt classifier; nil if the tilt band is not reported.
    private var tilt: TiltClassifier?
    private var scale: ScaleEstimate
    private var review = ScaleReview()
    /// The newest sample in m/s²; nil before the first one.
    private(set) var lastVector: Acceleration?
    /// Warnings about the classifier settings.
    private let warnings: [String]
    /// The warning about the scale; until it is measured, from an earlier run.
    private(set) var scaleWarning: String?
    private var hasReportedReason = false
    /// Whether the next classified sample is reported even if the answer is the same.
    private var repeatsReading = false
    private let measurements: AccelerometerMeasurements
    /// Wakes the event loop for samples.
    private let wakeLoop: () -> Void
    /// Called at the end of a run.
    private let ended: (AccelerometerReader, _ mayResume: Bool) -> Void

    /// The longest time of readings that cannot be gravity, in seconds: longer than any fall, while even strong shaking
    /// passes through g. Less than ``longestSilence``, whose message is less specific.
    static let longestTimeWithoutGravity = 4.0
    /// The time without gravity after which the reason is published, in seconds: longer than an impact.
    static let reportTime = 0.3

    /// Begins with an open source; `scaleWarning` comes from an earlier run of the same sensor.
    init(
        _ source: any Accelerometer, _ tuning: ClassifierTuning, reportsTilt: Bool, scaleWarning: String?,
        measurements: AccelerometerMeasurements, wakeLoop: @escaping () -> Void,
        ended: @escaping (AccelerometerReader, _ mayResume: Bool) -> Void
    ) {
        self.source = source
        self.scaleWarning = scaleWarning
        self.measurements = measurements
        self.wakeLoop = wakeLoop
        self.ended = ended
        classifier = OrientationClassifier(settings: tuning.settings)
        warnings = tuning.warnings
        tilt = reportsTilt ? TiltClassifier() : nil
        scale = Self.estimate(for: source)
    }

    private static func estimate(for source: any Accelerometer) -> ScaleEstimate {
        let count = source.conversion.scale?.map(abs).max() ?? 1
        return ScaleEstimate(source.statesScale ? .stated : .unknown(count: count))
    }

    var supportsBackpressure: Bool { source.supportsBackpressure }

    var longestSilence: Double? { source.longestSilence }

    var info: SensorDescription {
        var info = source.info
        info.warnings += warnings
        if let scaleWarning { info.warnings.append(scaleWarning) }
        return info
    }

    private func updateConversion() {
        var conversion = source.conversion
        conversion.scale = conversion.scale?.map { $0 * scale.gain }
        conversion.classifier = classifier.settings
        measurements.setConversion(conversion)
    }

    func begin() -> [RunEvent] {
        updateConversion()
        // A paused recording already has an answer.
        guard classifier.pose != nil else { return [] }
        let classified = classified(timestamp: Int64(BootClock.now() * 1_000_000))
        measurements.setNewest(classified)
        return [.decided(classified)]
    }

    func update() {
        source.setMotionRate(measurements.motionRate)
        updateConversion()
    }

    func repeatReading() { repeatsReading = true }

    func end(mayResume: Bool) {
        measurements.setNewest(nil)
        ended(self, mayResume)
    }

    func next(at now: Double) throws(SensorFailure) -> SensorStep<[RunEvent]> {
        let step = try source.next(at: now)
        if case .sample(let sample, _) = step, source.isHardware,
            review.isDue(length: scale.factor * sample.acceleration.magnitude, at: sample.time), source.rereadScale()
        {
            (scale, scaleWarning) = (Self.estimate(for: source), nil)
            classifier.restart()
            return .wait(.none)
        }
        updateConversion()
        return try step.map { sample throws(SensorFailure) in try process(sample, at: now) }
    }

    private func process(_ sample: Sample, at now: Double) throws(SensorFailure) -> [RunEvent] {
        var events: [RunEvent] = []
        let gain = scale.gain
        let corrected = try correct(sample)
        if scale.gain != gain { updateConversion() }
        // Recordings and simulations have times of their own: then a sample has the time of its delivery.
        let time = Int64((source.isHardware ? sample.time : now) * 1_000_000)
        // Readings that cannot be gravity are delivered too, for the diagnosis of the fault.
        deliver(sample.scaled(by: scale.gain), time)
        guard let corrected else {
            if let reason = takeReasonWithoutGravity() { events.append(.withoutGravity(reason: reason)) }
            return events
        }
        let isChange = classify(corrected)
        let classified = classified(timestamp: time)
        measurements.setNewest(classified)
        if isChange || repeatsReading { events.append(.decided(classified)) }
        repeatsReading = false
        return events
    }

    /// Returns a sample for the classifier, in m/s²; nil if it cannot be classified.
    ///
    /// Single readings that cannot be gravity are normal: devices are shaken and dropped. Over several seconds they are
    /// a fault, which the user can repair; without a report the orientation would only appear stuck.
    private func correct(_ sample: Sample) throws(SensorFailure) -> Sample? {
        let corrected = scale.correct(sample, for: &classifier)
        // A warning of an earlier run stays until this run knows as much.
        if scale.isMeasured, scale.gain == scale.factor || scaleWarning == nil {
            // A wrong unit of a recording is not reported to the project.
            let remedy = source.isHardware ? "; report it with 'sudo orientationctl doctor --report FILE'" : ""
            scaleWarning = scale.summary.map { $0 + remedy }
        }
        if source.isHardware, scale.timeWithoutGravity >= Self.longestTimeWithoutGravity {
            throw .implausible(messageWithoutGravity)
        }
        // A sample in motion may have had the length of gravity: the answer to it is void.
        if !source.isHardware, scale.lacksGravity, classifier.pose != nil { throw .unusable(messageWithoutGravity) }
        return corrected
    }

    /// Returns, once, why there is no orientation although samples arrive; nil if there is one, or not yet.
    private func takeReasonWithoutGravity() -> String? {
        guard !hasReportedReason, scale.lacksGravity, scale.timeWithoutGravity >= Self.reportTime else { return nil }
        hasReportedReason = true
        return messageWithoutGravity
    }

    private var messageWithoutGravity: String {
        source.isHardware
            ? "the sensor has no gravity: \(scale.readingsWithoutGravity); check its scale and its mount matrix"
            : "\(source.info.name) has no gravity: \(scale.readingsWithoutGravity)"
    }

    /// Delivers a sample to the list of sensors and to motion subscribers.
    private func deliver(_ sample: Sample, _ time: Int64) {
        guard sample.acceleration.isFinite else { return }
        lastVector = sample.acceleration
        if source.isHardware { measurements.setSample(sample, of: source.info.id) }
        guard measurements.motionRate != nil else { return }
        let raw = source.lastRaw?.components
        if measurements.add(MotionSample(timestamp: time, acceleration: sample.acceleration, raw: raw)) { wakeLoop() }
    }

    /// Classifies a corrected sample; returns whether the pose or a reported tilt band changed.
    private func classify(_ sample: Sample) -> Bool {
        let hasChanged = classifier.classify(sample) != nil
        return tilt?.follow(classifier, at: sample.time) == true || hasChanged
    }

    /// Returns the output of the classifiers, for a sample of this time in microseconds.
    private func classified(timestamp: Int64) -> ClassifiedSample {
        ClassifiedSample(
            pose: classifier.pose, lastEdge: classifier.lastPanelEdge, tilt: classifier.tilt, tiltBand: tilt?.band,
            disturbance: classifier.disturbance, timestamp: timestamp)
    }
}

/// The classifier settings for a device: from udev, else the usual ones.
struct ClassifierTuning {
    let settings: ClassifierSettings
    /// Errors in the udev property.
    let warnings: [String]

    init(_ facts: HardwareFacts, device: String, usual: ClassifierSettings) {
        guard let text = facts.value(of: .classifier, for: device) else {
            (settings, warnings) = (usual, [])
            return
        }
        do {
            settings = try ClassifierSettings(text)
            warnings = []
        } catch {
            settings = usual
            warnings = ["\(SensorProperty.classifier.source): \(error)"]
        }
    }
}
