// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import Testing

@Suite struct ClassifierSettingsTests {
    /// The text of docs/classifier.md.
    private static func page() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("docs/classifier.md"), encoding: .utf8)
    }

    @Test(arguments: [
        ("standard", "standard"), ("calm", "calm"), ("quick,edgeMargin=20", "quick,edgeMargin=20.0"),
        ("calm,dwell=0.4,smoothing=0.2", "calm,smoothing=0.2,dwell=0.4"),
        // Equal settings have one text, the shortest.
        (
            "quick,faceEnter=70,faceLeave=55,edgeMargin=11,smoothing=0.14,smoothingShaken=0.33,dwell=0.1,dwellCarried=0.15",
            "standard,dwellBack=0.15,calm=2.0,shaken=8.0"
        ),
    ])
    func `the text of settings parses to the same settings`(text: String, description: String) throws {
        let settings = try ClassifierSettings(text)
        #expect(settings.description == description)
        #expect(try ClassifierSettings(settings.description) == settings)
    }

    @Test func `docs/classifier.md lists the unit, range and preset values of every parameter`() throws {
        func short(_ value: Double) -> String {
            value == value.rounded() ? "\(Int(value))" : "\(value)"
        }
        let page = try Self.page()
        for setting in ClassifierSettings.all {
            let range = "\(short(setting.range.lowerBound)) – \(short(setting.range.upperBound))"
            let values = ClassifierSettings.presets.map { short(setting.value(in: $0.settings)) }
            let row = (["`\(setting.name)`", setting.unit, range] + values).joined(separator: " | ")
            #expect(page.contains("| \(row) |"))
        }
    }

    @Test(arguments: [
        ("faceLeave", "faceEnter", 60.0), ("edgeLimit", "faceEnter", 60), ("calm", "shaken", 3),
        ("smoothing", "smoothingShaken", 1), ("dwell", "dwellShaken", 1),
    ])
    func `parameters in the wrong order are refused, and docs/classifier.md lists the order`(
        low: String, high: String, value: Double
    ) throws {
        // Keeps faceLeave below the tested parameters.
        let apart = low == "faceLeave" ? [] : [(name: "faceLeave", value: 40.0)]
        #expect(throws: ClassifierSettingsError.wrongOrder(low: low, high: high)) {
            try ClassifierSettings.standard.changing(apart + [(name: low, value: value), (name: high, value: value)])
        }
        let words = try Self.page().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("`\(low)` < `\(high)`"))
    }

    @Test func `every preset satisfies the ranges and the order`() throws {
        for preset in ClassifierSettings.presets {
            let all = ClassifierSettings.all.map { (name: $0.name, value: $0.value(in: preset.settings)) }
            #expect(try preset.settings.changing(all) == preset.settings)
        }
    }

    @Test func `both ends of a range are valid, and a value outside is an error that names the parameter`() {
        for setting in ClassifierSettings.all {
            for (value, fits) in [
                (setting.range.lowerBound, true), (setting.range.upperBound, true),
                (setting.range.lowerBound.nextDown, false), (setting.range.upperBound.nextUp, false),
                (.nan, false), (.infinity, false),
            ] {
                do throws(ClassifierSettingsError) {
                    _ = try ClassifierSettings.standard.changing([(name: setting.name, value: value)])
                    #expect(fits)
                } catch {
                    if case .wrongOrder = error { continue }
                    #expect(!fits)
                    #expect("\(error)".contains(setting.name))
                }
            }
        }
    }

    @Test(arguments: [
        ("standard,edgeMargin=99", "invalid value 99.0 for edgeMargin: must be 2.0 to 30.0 °"),
        ("standard,faceLeave=75", "faceLeave must be less than faceEnter"),
        ("standard,dwell", "invalid change 'dwell': must be name=number"),
        ("standard,dwell=soon", "invalid change 'dwell=soon': must be name=number"),
        ("standard,", "invalid change '': must be name=number"),
        ("still", "unknown classifier 'still': must be one of standard, calm, quick"),
        ("Standard", "unknown classifier 'Standard': must be one of standard, calm, quick"),
    ])
    func `an invalid text gives a message with the valid values`(text: String, message: String) {
        do throws(ClassifierSettingsError) {
            _ = try ClassifierSettings(text)
            Issue.record("\(text) was accepted")
        } catch {
            #expect(error.description == message)
        }
    }

    @Test func `the presets answer in the order quick, standard, calm`() {
        func delay(_ settings: ClassifierSettings) -> Double? {
            var hand = Hand()
            hand.classifier = OrientationClassifier(settings: settings)
            hand.hertz = 100
            hand.hold(seconds: 2)
            hand.hold(turn: 90, seconds: 2)
            return hand.answers.last.map { $0.time - 2 }
        }
        let delays = [ClassifierSettings.quick, .standard, .calm].compactMap(delay)
        #expect(delays.count == 3 && delays == delays.sorted() && Set(delays).count == 3)
        #expect((delays.last ?? .infinity) < 0.8)
    }
}
