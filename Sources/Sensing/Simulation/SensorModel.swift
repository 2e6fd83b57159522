// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import OrientationModel

/// A model of sensor errors: bias, noise, resolution, range and lost samples.
package struct SensorModel: Hashable, Sendable {
    /// The bias in m/s².
    package var bias = Acceleration(x: 0, y: 0, z: 0)
    /// The standard deviation of the noise on each axis, in m/s².
    package var noise = 0.02
    /// The resolution in m/s²; 0 for none.
    package var step = 0.0
    /// The range per axis in both directions, in m/s².
    package var range = 8 * Acceleration.standardGravity
    /// The share of lost samples, 0 to 1.
    package var loss = 0.0

    /// A good sensor: little noise, ±8 g.
    package static let good = SensorModel()

    /// A poor sensor: bias up to 0.5 m/s², noise 0.3 m/s², resolution 1/64 g, range 2 g, one sample in ten lost.
    package static let poor = SensorModel(
        bias: Acceleration(x: 0.5, y: -0.3, z: 0.5), noise: 0.3, step: Acceleration.standardGravity / 64,
        range: 2 * Acceleration.standardGravity, loss: 0.1)

    /// Returns the reading; nil for a lost sample.
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

/// Random numbers as a pure function of seed, time and purpose: the same arguments give the same number, in any order
/// of calls.
package struct SeededNoise: Hashable, Sendable {
    package var seed: UInt64

    package init(seed: UInt64) {
        self.seed = seed
    }

    /// Returns a uniform number from 0 up to, but not including, 1.
    package func uniform(at time: Double, _ purpose: UInt64) -> Double {
        Double(bits(time, purpose) >> 11) * 0x1p-53
    }

    /// Returns a normal number with mean 0 and standard deviation 1 (Box–Muller transform).
    package func normal(at time: Double, _ purpose: UInt64) -> Double {
        let radius = (-2 * log(1 - uniform(at: time, purpose &* 2))).squareRoot()
        return radius * cos(2 * .pi * uniform(at: time, purpose &* 2 &+ 1))
    }

    private func bits(_ time: Double, _ purpose: UInt64) -> UInt64 {
        mixed(mixed(seed &+ 0x9E37_79B9_7F4A_7C15 &* (purpose &+ 1)) ^ time.bitPattern)
    }

    /// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
    private func mixed(_ value: UInt64) -> UInt64 {
        var bits = value &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

extension Acceleration {
    fileprivate func mapped(_ transform: (Double) -> Double) -> Acceleration {
        Acceleration(x: transform(x), y: transform(y), z: transform(z))
    }
}
