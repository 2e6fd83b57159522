// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// What a sensor makes of the true acceleration: bias, noise, coarse steps, a limited range, and lost samples.
package struct SensorModel: Hashable, Sendable {
    /// Added to every reading, in m/s².
    package var bias = Acceleration(x: 0, y: 0, z: 0)
    /// Standard deviation of the noise on each axis, in m/s².
    package var noise = 0.02
    /// Readings are multiples of this, in m/s²; 0 for none.
    package var step = 0.0
    /// No axis reads more than this either way, in m/s².
    package var range = 8 * Acceleration.standardGravity
    /// The share of samples that get lost, from 0 to 1.
    package var loss = 0.0

    /// A good sensor: little noise, ±8 g.
    package static let good = SensorModel()

    /// A poor one: bias 0.5 m/s² on an axis, noise 0.3 m/s², 1/64 g steps, clipped at 2 g, one sample in ten lost.
    package static let poor = SensorModel(
        bias: Acceleration(x: 0.5, y: -0.3, z: 0.5), noise: 0.3, step: Acceleration.standardGravity / 64,
        range: 2 * Acceleration.standardGravity, loss: 0.1)

    /// The reading at this moment; nil when the sample gets lost.
    func reading(of truth: Acceleration, at time: Double, _ random: SeededNoise) -> Acceleration? {
        if loss > 0, random.uniform(at: time, 100) < loss { return nil }
        let noisy = Acceleration(
            x: truth.x + bias.x + noise * random.normal(at: time, 1),
            y: truth.y + bias.y + noise * random.normal(at: time, 2),
            z: truth.z + bias.z + noise * random.normal(at: time, 3))
        return noisy.mapped { value in
            let stepped = step > 0 ? (value / step).rounded() * step : value
            return min(max(stepped, -range), range)
        }
    }
}
