// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import TestSupport
import Testing

@testable import Sensing

@Suite struct ScaleStoreTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private var store: ScaleStore { ScaleStore(folder: folder.path + "/state") }
    private var file: String { folder.path + "/state/scales" }

    private func sensor(
        _ name: String = "Test chip", id: String = "iio:device0", scale: [Double]? = [0.1, 0.1, 0.2]
    ) -> SensorIdentity {
        SensorIdentity(SensorDescription(id: id, name: name), scale: scale)
    }

    @Test(arguments: [nil, [0.1], [0.05, 0.05, 9.58e-7]])
    func `the next process reads the stored gain, also if the device has another number`(scale: [Double]?) {
        store.set(1.0 / 3, isMatrixWrong: true, of: sensor(scale: scale))
        let stored = store.gain(of: sensor(id: "iio:device7", scale: scale))
        #expect(stored?.gain == 1.0 / 3)
        #expect(stored?.isMatrixWrong == true)
        #expect(store.gain(of: SensorDescription(id: "iio:device7", name: "Test chip"))?.gain == 1.0 / 3)
    }

    @Test func `a gain belongs to one name, location, scale and matrix`() {
        store.set(2, of: sensor())
        #expect(store.gain(of: sensor("Other chip")) == nil)
        #expect(store.gain(of: sensor(scale: [0.1, 0.1, 0.1])) == nil)
        #expect(store.gain(of: sensor(scale: nil)) == nil)
        var base = SensorDescription(id: "iio:device0", name: "Test chip", location: "base")
        #expect(store.gain(of: SensorIdentity(base, scale: [0.1, 0.1, 0.2])) == nil)
        base.location = "display"
        base.matrix = [0, 1, 0, 1, 0, 0, 0, 0, 1]
        #expect(store.gain(of: SensorIdentity(base, scale: [0.1, 0.1, 0.2])) == nil)
    }

    @Test func `a gain is replaced and removed`() throws {
        store.set(2, of: sensor())
        store.set(3, of: sensor())
        #expect(store.gain(of: sensor())?.gain == 3)
        store.set(nil, of: sensor())
        #expect(store.gain(of: sensor()) == nil)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "")
    }

    @Test func `the file holds a limited number of sensors`() throws {
        for number in 0..<40 { store.set(2, of: sensor("chip \(number)")) }
        #expect(store.gain(of: sensor("chip 39"))?.gain == 2)
        #expect(store.gain(of: sensor("chip 0")) == nil)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.split(separator: "\n").count == ScaleStore.capacity)
    }

    @Test(arguments: [
        "", "2", "nan scale display 0.1 1,0,0,0,1,0,0,0,1 Test chip", "2 scale display 0.1 1,0,0 Test chip",
        "1e9 scale display 0.1 1,0,0,0,1,0,0,0,1 Test chip", "-2 scale display 0.1 1,0,0,0,1,0,0,0,1 Test chip",
        "2 scale display x 1,0,0,0,1,0,0,0,1 Test chip", String(repeating: "x", count: 100_000),
    ])
    func `a damaged line is ignored`(line: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/state", withIntermediateDirectories: true)
        try Data("\(line)\n3 scale display 0.5 1,0,0,0,1,0,0,0,1 a\n".utf8).write(to: URL(fileURLWithPath: file))
        #expect(store.gain(of: sensor(scale: [0.1])) == nil)
        #expect(store.gain(of: sensor("a", scale: [0.5]))?.gain == (line.count > 10_000 ? nil : 3))
    }

    @Test func `a name with a line break is not written`() throws {
        store.set(2, of: sensor("a\nb"))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "")
    }

    @Test func `without a state directory a gain lasts as long as the process`() {
        let store = ScaleStore(folder: nil)
        store.set(2, of: sensor())
        #expect(store.gain(of: sensor())?.gain == 2)
    }
}
