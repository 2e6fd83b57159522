// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Recordings

protocol Accelerometer: SensorSource where Value == Sample {
    /// Whether the source supports backpressure: it is read no further while the event queue is full, and no sample is
    /// dropped. True for recordings, false for chips.
    var supportsBackpressure: Bool { get }

    /// Whether the source states the scale or the unit of its readings.
    var statesScale: Bool { get }

    /// The raw reading of the last sample; nil without a chip.
    var lastRaw: RecordedSample.Raw? { get }

    /// The conversion from raw readings to samples.
    var conversion: Conversion { get }

    /// The time without a sample after which the source has failed, in seconds; nil if it may be silent.
    var longestSilence: Double? { get }

    /// Reads the scale again; returns whether it has changed. The next sample has the new one.
    func rereadScale() -> Bool

    /// Sets the rate at which motion subscribers need samples, in hertz: 0 for any rate, nil without subscribers. With
    /// subscribers a source must not slow down while the device is at rest; a source that cannot reach the rate
    /// delivers what it can.
    func setMotionRate(_ rate: Double?)
}

extension Accelerometer {
    /// Whether a chip delivers the samples: readings that cannot be gravity are then a fault.
    var isHardware: Bool { info.isHardware }
    var lastRaw: RecordedSample.Raw? { nil }
    var conversion: Conversion { Conversion() }
    var statesScale: Bool { true }
    var longestSilence: Double? { supportsBackpressure ? nil : 5 }
    func rereadScale() -> Bool { false }
    func setMotionRate(_ rate: Double?) {}
}

typealias AccelerometerStep = SensorStep<Sample>
