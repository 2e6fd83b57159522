// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Recordings

/// An open source, or a paused recording, with its classifier.
///
/// A class, because each sample reads it in several places: a copy would retain everything in it.
final class SensorRun {
    var number: Int
    let source: any Accelerometer
    /// As ``Accelerometer/supportsBackpressure`` and ``Accelerometer/isHardware``.
    let supportsBackpressure: Bool
    let isHardware: Bool
    /// Unchecked (all three): the run-time exclusivity checks take as long as the classifier. Accesses do not overlap: each is an
    /// assignment or one call of a method of the value, which calls nothing of this class.
    @exclusivity(unchecked) private(set) var classifier: OrientationClassifier
    /// The tilt classifier; nil if the tilt band is not reported.
    @exclusivity(unchecked) private(set) var tilt: TiltClassifier?
    @exclusivity(unchecked) private var check: GravityCheck
    private var isMatrixWrong = false
    private var hasReportedMeasurement = false
    /// The time of the last sample: CLOCK_BOOTTIME in seconds.
    var lastSample: Double
    /// The newest sample in m/s²; nil before the first one.
    var lastVector: Acceleration?
    /// The facts with which the source was opened, or resumed.
    var facts: HardwareFacts
    /// Warnings about the classifier settings.
    var warnings: [String] = []

    /// Opens a run; `scale` is the result of an earlier run of the same sensor.
    init(
        number: Int, source: any Accelerometer, classifier: OrientationClassifier, facts: HardwareFacts,
        reportsTilt: Bool, scale: KnownScale?, openedAt now: Double
    ) {
        self.facts = facts
        self.number = number
        self.source = source
        supportsBackpressure = source.supportsBackpressure
        isHardware = source.isHardware
        self.classifier = classifier
        tilt = reportsTilt ? TiltClassifier() : nil
        check = GravityCheck(source, remembered: scale?.correction)
        isMatrixWrong = scale?.isMatrixWrong ?? false
        lastSample = now
    }

    /// The measured scale of the sensor.
    var scale: KnownScale { KnownScale(correction: check.scale, isMatrixWrong: isMatrixWrong) }

    /// Whether the scale is known to be right, so that no sample changes it.
    var isScaleConfirmed: Bool { check.scale.isConfirmed }

    /// Checks a sample read at `now`; returns the verdict, and whether the gain has changed.
    @inline(__always) func checked(
        _ sample: Sample, at now: Double
    ) throws(SensorFailure) -> (verdict: GravityCheck.Verdict, isRescaled: Bool) {
        lastSample = now
        let result = try check.check(sample, at: now)
        if result.isRescaled {
            // The filter holds vectors of the former scale.
            classifier.restart()
            isMatrixWrong = readsGravity
        }
        return result
    }

    /// Whether the vector in the sensor's axes is about one g long: the mount matrix is then at fault.
    private var readsGravity: Bool {
        guard let raw = source.lastRaw, let scale = source.arithmetic.scale else { return false }
        let offset = source.arithmetic.offset ?? [0, 0, 0]
        let vector = Acceleration(
            x: (raw.x + offset[0]) * scale[0], y: (raw.y + offset[1]) * scale[1], z: (raw.z + offset[2]) * scale[2])
        let gravity = Acceleration.standardGravity
        return abs(vector.magnitude - gravity) <= PhysicalLimits.gravityTolerance * gravity
    }

    /// Returns, once, why there is no orientation yet; nil if there is one, or if the scale is not the reason.
    func takeMeasurement() -> String? {
        guard !hasReportedMeasurement, classifier.orientation == .unknown, let reason = check.measurement else {
            return nil
        }
        hasReportedMeasurement = true
        return reason
    }

    /// Records a sample read at `now` without classifying it.
    @inline(__always) func note(_ sample: Sample, at now: Double) {
        lastSample = now
        lastVector = sample.acceleration
    }

    /// Classifies a checked sample read at `now`; returns whether orientation, last edge or a reported tilt band
    /// changed.
    @inline(__always) func classify(_ sample: Sample, at now: Double) -> Bool {
        note(sample, at: now)
        let edge = classifier.lastEdge
        let change = classifier.ingest(sample)
        let bandChanged = tilt != nil && tilt?.follow(classifier, at: sample.time) == true
        return change != nil || classifier.lastEdge != edge || bandChanged
    }

    /// Returns the output of the classifier, for a sample of this time in microseconds.
    @inline(__always) func classification(timestamp: Int64) -> Classification {
        Classification(
            orientation: classifier.orientation, lastEdge: classifier.lastEdge, tiltBand: tilt?.band,
            measurements: classifier.measurements, timestamp: timestamp)
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
            warnings = ["udev \(HardwareFacts.Property.classifier.rawValue): \(error)"]
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
    @inline(__always) mutating func count(at now: Int64) {
        guard let start else { return start = now }
        number += 1
        guard now - start >= Self.span else { return }
        rate = Double(number) * 1_000_000 / Double(now - start)
        self.start = now
        number = 0
    }
}
