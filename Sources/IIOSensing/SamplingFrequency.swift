// SPDX-License-Identifier: Apache-2.0

internal import Sensing

/// How often the chip itself measures, in hertz, while we use it.
///
/// Some drivers wait for the next measurement at every read: a chip left at 1 Hz keeps a reader for two seconds. So a
/// slower one is set to the lowest frequency it has at or above what is needed, and set back afterwards. One that is fast
/// enough is left alone, unless each measurement wakes us: then it is set to the same, since every one costs.
struct SamplingFrequency {
    /// What orientation needs, in hertz: the classifier is at its best from here up.
    static let needed = 10.0

    /// What the chip was set to before us, as the kernel wrote it.
    let former: String
    private var current: String
    private let available: String?
    private let use: DeviceSettings.Use
    private let attribute: IIOWritableAttribute

    /// Looks at what the chip is set to; nil where that cannot be told.
    init?(_ device: IIODevice, for use: DeviceSettings.Use) {
        guard let attribute = device.writableAttribute("sampling_frequency", channel: "accel_x"),
            case .text(let former) = attribute.read(), Double(former) != nil
        else { return nil }
        self.attribute = attribute
        self.use = use
        self.former = former
        current = former
        let list = device.anyAttribute("sampling_frequency_available", channel: "accel_x")
        available = if case .text(let text) = list { text } else { nil }
    }

    /// What it is to be set to where so many measurements in a second are needed; nil where it is set so.
    func change(for rate: Double) -> String? {
        let choice = Self.choice(former: former, available: available, use: use, rate: rate)
        return Double(choice) == Double(current) ? nil : choice
    }

    /// Sets it; 0 or a negative errno.
    mutating func set(_ text: String) -> Int32 {
        let code = attribute.write(text)
        if code == 0 { current = text }
        return code
    }

    /// Whether the chip was too slow for orientation.
    var wasTooSlow: Bool { Double(former).map { $0 < Self.needed } == true }

    /// How often the chip measures now, in hertz; nil where it does not tell.
    static func current(of device: IIODevice) -> Double? {
        guard case .text(let text) = device.anyAttribute("sampling_frequency", channel: "accel_x") else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// What a chip that was set to `former` is set to where so many measurements in a second are needed.
    static func choice(former: String, available: String?, use: DeviceSettings.Use, rate: Double) -> String {
        if use == .polling, Double(former).map({ $0 >= rate }) == true { return former }
        if let available { return choice(from: available, atLeast: rate) ?? former }
        // A hub has no list, and takes any frequency. Asked for single readings it measures then.
        return use == .capture ? "\(Int(rate.rounded(.up)))" : former
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
