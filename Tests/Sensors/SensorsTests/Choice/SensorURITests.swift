// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import Sensors

@Suite struct SensorURITests {
    /// A table of sources that have their address as id, or fail.
    private static func table(failing: [String: SensorFailure] = [:]) -> [SourceKind] {
        [("auto", false), ("iio", true), ("fake", true)].map { scheme, takesAddress in
            SourceKind(
                scheme: scheme, takesAddress: takesAddress,
                open: { address, _ throws(OpenFailure) in
                    if let failure = failing[scheme] { throw OpenFailure(reason: failure) }
                    return NamedSource(id: "\(scheme)|\(address)")
                },
                scan: { address, _ throws(SensorFailure) in
                    if let failure = failing[scheme] { throw failure }
                    return [
                        SensorDescription(id: "\(scheme)|\(address)", name: scheme, isChosen: true, why: "asked for")
                    ]
                })
        }
    }

    private func opened(_ text: String, failing: [String: SensorFailure] = [:]) throws -> String {
        try SensorURI(parsing: text, table: Self.table(failing: failing)).open(facts: HardwareFacts()).info.id
    }

    @Test func `a URI is split into scheme and address`() throws {
        #expect(try opened("auto") == "auto|")
        #expect(try opened("iio:accel_3d") == "iio|accel_3d")
        #expect(try opened("iio:iio:device0") == "iio|iio:device0")
        #expect(try opened("fake") == "fake|")
        #expect(try opened("fake:") == "fake|")
    }

    @Test func `a comma separates sources only before a scheme`() throws {
        #expect(try opened("fake:a,b.csv") == "fake|a,b.csv")
        #expect(try opened("auto,fake:", failing: ["auto": .noDevice("none")]) == "fake|")
        #expect(try opened("auto,fake:") == "auto|")
    }

    @Test func `of several failures the first that can be retried is thrown`() {
        let failures: [String: SensorFailure] = ["fake": .unusable("no such option"), "auto": .noDevice("none yet")]
        #expect(throws: OpenFailure(reason: .noDevice("none yet"))) { try opened("fake:x,auto", failing: failures) }
    }

    @Test func `without any sensor the message has the reasons of all sources`() {
        let failures: [String: SensorFailure] = [
            "iio": .noDevice("no accelerometer 'a'; iio:device0 (b): not 'a'"),
            "auto": .noDevice("none; event4 (c): d"),
        ]
        #expect(
            throws: OpenFailure(
                reason: .noDevice("no accelerometer 'a'; iio:device0 (b): not 'a'; none; event4 (c): d"))
        ) { try opened("iio:a,auto", failing: failures) }
    }

    @Test(arguments: ["", "nonsense", "automatic", "iiox:", ":", ",auto"])
    func `an unknown source is refused with the list of valid ones`(text: String) {
        #expect {
            try SensorURI(parsing: text, table: Self.table())
        } throws: { error in
            "\(error)".contains("auto, iio:..., fake:...")
        }
    }

    @Test(arguments: [
        ("replay:walk.csv?speed=2&loop=1&speed=3", "replay: duplicate option 'speed=3'"),
        ("fake:natural=portrait&natural=portrait", "fake: duplicate option 'natural=portrait'"),
        ("fake:sense=hid&mount=1,0,0;0,1,0;0,0,1&sense=chip", "fake: duplicate option 'sense=chip'"),
    ])
    func `an option that is given twice is refused`(text: String, message: String) {
        let table = [ReplaySource.row, FakeSource.row(SimulatedDevice())]
        #expect(throws: SensorFailure.unusable("\(message): must be given once")) {
            try SensorURI(parsing: text, table: table)
        }
    }

    @Test(arguments: [
        (
            "fake:mount=1,0,0;0,1,0;0,0,1?natural=portrait",
            "fake: option mount: invalid mount matrix element '1?natural=portrait'"
        ),
        ("fake:?sense=hid", "fake: option sense requires option mount"),
        ("fake:?speed=2", "fake: unknown option 'speed=2': must be one of mount=..., natural=..., sense=..."),
        (
            "fake:sensor=light",
            "fake: unknown option 'sensor=light': must be one of mount=..., natural=..., sense=..., sensors=..."
        ),
        ("fake:sensors=light+light", "fake: sensors: duplicate value 'light': must be given once"),
        (
            "fake:sensors=lidar",
            "fake: sensors: invalid value 'lidar': must be a list of accelerometer, light, proximity, compass, "
                + "joined by +"
        ),
        (
            "fake:walking?natural=portrait",
            "fake: invalid value 'walking': must be options, as in natural=portrait"
        ),
        ("fake:?poses", "fake: invalid value 'poses'"), ("fake:wild?", "fake: invalid value 'wild'"),
        ("replay:walk.csv?sped=2", "replay: unknown option 'sped=2': must be one of loop=..., speed=..."),
        ("replay:walk.csv?loop=yes", "replay: invalid value 'yes' for loop: must be 0 or 1"),
    ])
    func `an invalid address is refused with its scheme and the text that was typed`(text: String, message: String) {
        let table = [ReplaySource.row, FakeSource.row(SimulatedDevice())]
        #expect {
            try SensorURI(parsing: text, table: table)
        } throws: { error in
            "\(error)".hasPrefix(message)
        }
    }

    @Test func `a scan lists the sensors of every source and chooses one`() throws {
        let uri = try SensorURI(parsing: "auto,fake:", table: Self.table())
        let sensors = try uri.scan(facts: HardwareFacts())
        #expect(sensors.map(\.isChosen) == [true, false])
        #expect(sensors[1].why == "an earlier source of 'auto,fake:' is available")
    }

    @Test(arguments: [
        (false, false, false, "iio"), (true, true, false, "iio"), (false, true, false, "evdev"),
        (false, true, true, "iio"),
    ])
    func `auto prefers a stated location to an earlier source, unless that sensor failed; scan and opening agree`(
        isFirstStated: Bool, isSecondStated: Bool, hasSecondFailed: Bool, expected: String
    ) throws {
        let kinds = [("iio", isFirstStated), ("evdev", isSecondStated)].map { scheme, isStated in
            SourceKind(
                scheme: scheme, takesAddress: true, open: { _, _ throws(OpenFailure) in NamedSource(id: scheme) },
                scan: { _, _ throws(SensorFailure) in
                    var info = SensorDescription(id: scheme, name: scheme, isChosen: true)
                    info.isLocationStated = isStated
                    return [info]
                })
        }
        let auto = SourceKind.automatic(kinds)
        var facts = HardwareFacts(properties: isSecondStated ? ["evdev": [.location: "display"]] : [:])
        if hasSecondFailed { facts.recentFailures[SensorID(kind: .accelerometer, id: "evdev")] = "timed out" }
        let sensors = try auto.scan("", facts)
        #expect(sensors.filter(\.isChosen).map(\.id) == [expected])
        #expect(try auto.open("", facts).info.id == expected)
        if expected == "evdev" { #expect(sensors[0].why == "location unknown, while that of evdev is stated") }
    }

    @Test func `a source that cannot be read leaves the choice open, also with a location in udev`() throws {
        let broken = SourceKind(
            scheme: "iio", takesAddress: true, open: { _, _ throws(OpenFailure) in NamedSource(id: "iio") },
            scan: { _, _ throws(SensorFailure) in throw .failed("too many open files") })
        let auto = SourceKind.automatic([broken, source("evdev", isChosen: true, why: "first")])
        let facts = HardwareFacts(properties: ["evdev": [.location: "display"]])
        #expect(throws: SensorFailure.failed("too many open files")) { try auto.scan("", facts) }
        #expect(throws: OpenFailure(reason: .failed("too many open files"))) { try auto.open("", facts) }
    }

    /// A source whose scan finds the same sensor.
    private func source(_ scheme: String, isChosen: Bool, why: String) -> SourceKind {
        SourceKind(
            scheme: scheme, takesAddress: false, open: { _, _ in NamedSource(id: "iio:device0") },
            scan: { _, _ in [SensorDescription(id: "iio:device0", name: "chip", isChosen: isChosen, why: why)] })
    }

    @Test func `a sensor that several sources find is listed once, with the reasons of all unless one chose it`() throws
    {
        let named = source("named", isChosen: false, why: "not 'foo'")
        let removable = source("auto", isChosen: false, why: "on the removable device 2-1")
        let refused = try SensorURI(parsing: "named,auto", table: [named, removable]).scan(facts: HardwareFacts())
        #expect(refused.map(\.why) == ["not 'foo'; on the removable device 2-1"])
        let chosen = source("auto", isChosen: true, why: "first accelerometer in the display")
        for text in ["named,auto", "auto,named"] {
            let used = try SensorURI(parsing: text, table: [named, chosen]).scan(facts: HardwareFacts())
            #expect(used.map(\.why) == ["first accelerometer in the display"] && used[0].isChosen)
        }
    }
}

/// A source with an id only.
private final class NamedSource: Accelerometer {
    let info: SensorDescription
    let supportsBackpressure = false

    init(id: String) {
        info = SensorDescription(id: id, name: id)
    }

    func next(at now: Double) -> AccelerometerStep { .end(reason: "nothing to say") }
}
