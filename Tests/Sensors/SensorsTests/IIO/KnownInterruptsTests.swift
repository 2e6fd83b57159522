// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Sensors

@Suite struct KnownInterruptsTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func next(bootID: String = "boot") -> KnownInterrupts {
        KnownInterrupts(folder: folder.path, bootID: bootID)
    }

    @Test func `silent and working interrupts are known to the next process of the boot, refused ones are not`() throws
    {
        let known = next()
        known.set(.silent, of: "iio:device0 a chip")
        known.set(.works, of: "iio:device1 other")
        known.set(.refused("permission denied"), of: "iio:device2 third")
        #expect(known.failure(of: "iio:device2 third") == "permission denied")
        #expect(next().failure(of: "iio:device0 a chip") == "it did not report a turn")
        #expect(next().works("iio:device1 other"))
        #expect(next().failure(of: "iio:device1 other") == nil)
        #expect(next().failure(of: "iio:device2 third") == nil)
        #expect(
            try folder.text(of: "motion-interrupts") == "boot\nsilent iio:device0 a chip\nworks iio:device1 other\n")
    }

    @Test func `another boot knows nothing, and replaces the file`() {
        next().set(.silent, of: "iio:device0 chip")
        let known = next(bootID: "other")
        #expect(known.failure(of: "iio:device0 chip") == nil)
        known.set(.works, of: "iio:device1 chip")
        #expect(next().failure(of: "iio:device0 chip") == nil)
        #expect(next(bootID: "other").works("iio:device1 chip"))
    }

    @Test(arguments: ["", "boot", "boot\nsilent", "boot\nunknown iio:device0 chip\n", "silent iio:device0 chip"])
    func `a damaged file is ignored`(text: String) throws {
        _ = try folder.write(text, to: "motion-interrupts")
        #expect(next().failure(of: "iio:device0 chip") == nil)
        #expect(!next().works("iio:device0 chip"))
    }

    @Test func `a forgotten failure is unknown to the next process, a working interrupt remains known`() throws {
        let known = next()
        known.set(.silent, of: "iio:device0 chip")
        known.set(.works, of: "iio:device1 other")
        known.set(.refused("permission denied"), of: "iio:device2 third")
        for sensor in ["iio:device0 chip", "iio:device1 other", "iio:device2 third", "iio:device3 unknown"] {
            known.forgetFailure(of: sensor)
            #expect(known.failure(of: sensor) == nil)
        }
        #expect(next().failure(of: "iio:device0 chip") == nil)
        #expect(try folder.text(of: "motion-interrupts") == "boot\nworks iio:device1 other\n")
    }

    @Test func `the next process knows nothing once the file is removed`() throws {
        next().set(.silent, of: "iio:device0 chip")
        IIOSources.forgetInterrupts(in: folder.path)
        #expect(next().failure(of: "iio:device0 chip") == nil)
    }

    @Test func `without a folder the states are kept in memory`() {
        let known = KnownInterrupts()
        known.set(.silent, of: "iio:device0 chip")
        #expect(known.failure(of: "iio:device0 chip") != nil)
    }
}
