// SPDX-License-Identifier: Apache-2.0

package import OrientationModel
package import Recordings

/// An open source of samples: a chip, a recording, a simulation.
///
/// It is made, asked and let go on the sensor thread alone. It does its own reading but no waiting: it says what it
/// waits for, and the thread waits, so that it can be stopped at any moment and tested without a clock. Letting go of
/// it closes it.
package protocol Accelerometer: AnyObject {
    /// What it is, for people.
    var info: SensorDescription { get }

    /// Whether samples come at the reader's pace (a recording) and not at the world's (a chip): if so it is not asked
    /// for more while what it gave has not been taken, and nothing is dropped.
    var keepsReadersPace: Bool { get }

    /// The next thing to do; `now` is CLOCK_BOOTTIME in seconds.
    func next(at now: Double) throws(SensorFailure) -> AccelerometerStep

    /// What the chip delivered for the last sample, before anything was made of it; nil where there is no chip.
    var lastRaw: RecordedSample.Raw? { get }

    /// How that became the sample.
    var arithmetic: SensorArithmetic { get }

    /// Somebody follows the motion itself and needs so many samples in a second, 0 where any number will do; nil: nobody
    /// does any more. A source that rests while the device is still must not meanwhile; one that cannot give as many
    /// gives what it can.
    func setFollowed(at rate: Double?)
}

extension Accelerometer {
    package var lastRaw: RecordedSample.Raw? { nil }
    package var arithmetic: SensorArithmetic { SensorArithmetic() }
    package func setFollowed(at rate: Double?) {}
}

/// What a source wants done next.
package enum AccelerometerStep: Hashable, Sendable {
    /// Here is a sample; ask again at once.
    case sample(Sample)
    /// The same, but no answer is to rest on it: it cannot be gravity, and nothing has spoken for the sensor yet. Whoever
    /// follows the motion may have it, or what is wrong with the sensor could not be measured.
    case doubtful(Sample)
    /// Ask again in so many seconds, more than 0.
    case pause(seconds: Double)
    /// Ask again when this descriptor can be read, or after so many seconds if that is sooner; nil: however long it takes.
    case awaitInput(descriptor: Int32, seconds: Double? = nil)
    /// What is said of the source has changed: look at ``Accelerometer/info`` again, and ask again at once.
    case redescribed
    /// That was all; the reason is a sentence for people, without a full stop.
    case end(reason: String)
}
