// SPDX-License-Identifier: Apache-2.0

internal import Sensing

/// How often the chip itself measures, in hertz, while we use it.
///
/// Some drivers wait for the next measurement at every read: a chip left at 1 Hz keeps a reader for two seconds. So a
/// slower one is set to the lowest frequency it has at or above what orientation needs, and set back afterwards. One
/// that is fast enough is left alone, unless each measurement wakes us: then it is set to the same, since every one costs.
struct SamplingFrequency {
    /// What orientation needs, in hertz: the classifier is at its best from here up.
    static let needed = 10.0

    /// What the chip is set to, as the kernel wrote it.
    let former: String
    private let wanted: String
    private let attribute: IIOWritableAttribute

    /// The change that this use calls for; nil where the frequency is fit, or cannot be told.
    init?(_ device: IIODevice, for use: DeviceSettings.Use) {
        guard let attribute = device.writableAttribute("sampling_frequency", channel: "accel_x"),
            case .text(let former) = attribute.read(), let current = Double(former)
        else { return nil }
        let isTooSlow = current < Self.needed
        var wanted: String?
        if case .text(let available) = device.anyAttribute("sampling_frequency_available", channel: "accel_x") {
            wanted = Self.choice(from: available, atLeast: Self.needed)
        } else if use == .capture {
            // A hub has no list, and takes any frequency.
            wanted = "\(Int(Self.needed))"
        }
        guard let wanted, Double(wanted) != current, isTooSlow || use == .capture else { return nil }
        self.attribute = attribute
        self.former = former
        self.wanted = wanted
    }

    /// Makes the change; what there is to say where the kernel does not take it and the chip is too slow.
    func apply() -> String? {
        if attribute.write(wanted) || Double(former).map({ $0 >= Self.needed }) == true { return nil }
        return "the chip measures \(former) times a second, and sampling_frequency cannot be set to \(wanted)"
    }

    /// How often the chip measures now, in hertz; nil where it does not tell.
    static func current(of device: IIODevice) -> Double? {
        guard case .text(let text) = device.anyAttribute("sampling_frequency", channel: "accel_x") else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// The lowest frequency at or above what is needed, as it was written; else the highest. The kernel lists them, or
    /// gives a range as `[lowest step highest]`.
    static func choice(from available: String, atLeast needed: Double) -> String? {
        let isRange = available.hasPrefix("[")
        let words = available.split { " []\t\n".contains($0) }.map(String.init)
        let numbers = words.compactMap { word in Double(word).map { (word: word, value: $0) } }
            .filter { $0.value.isFinite && $0.value > 0 }
        if isRange, numbers.count == 3 {
            let (lowest, step, highest) = (numbers[0].value, numbers[1].value, numbers[2].value)
            guard lowest < needed else { return numbers[0].word }
            let raised = lowest + ((needed - lowest) / step).rounded(.up) * step
            return raised <= highest ? "\(raised)" : numbers[2].word
        }
        let fitting = numbers.filter { $0.value >= needed }.min { $0.value < $1.value }
        return (fitting ?? numbers.max { $0.value < $1.value })?.word
    }
}
