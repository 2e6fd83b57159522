// SPDX-License-Identifier: Apache-2.0

import CIIO
import Glibc
import Sensing
import TestSupport
import Testing

@testable import IIOSensing

/// A context that is closed and opened again, with libiio's XML contexts.
@Suite struct ClosedContextTests {
    /// A machine whose devices change between the openings of its context.
    private final class Machine {
        var devices: [String]
        /// Why the context cannot be opened.
        var failure: SensorFailure?
        private(set) var openings = 0

        /// libxml2 validates the description.
        private static let start = """
            <?xml version="1.0" encoding="utf-8"?><!DOCTYPE context [<!ELEMENT context (device)*>\
            <!ELEMENT device (channel | attribute)*><!ELEMENT channel (attribute)*><!ELEMENT attribute EMPTY>\
            <!ATTLIST context name CDATA #REQUIRED><!ATTLIST device id CDATA #REQUIRED name CDATA #IMPLIED>\
            <!ATTLIST channel id CDATA #REQUIRED type CDATA #REQUIRED>\
            <!ATTLIST attribute name CDATA #REQUIRED filename CDATA #IMPLIED>]>
            """

        init(_ devices: String...) {
            self.devices = devices
        }

        func context() throws -> IIOContext {
            try IIOContext { [self] () throws(SensorFailure) in
                if let failure { throw failure }
                let text = "\(Self.start)<context name=\"xml\">\(devices.joined())</context>"
                typealias Create = @convention(c) (UnsafePointer<CChar>, Int) -> OpaquePointer?
                // The threads of the tests exit after the use of libxml2, which therefore stays loaded.
                guard let library = dlopen("libiio.so.0", RTLD_LAZY | RTLD_NODELETE),
                    let symbol = dlsym(library, "iio_create_xml_context_mem"),
                    let context = unsafeBitCast(symbol, to: Create.self)(text, text.utf8.count)
                else { throw .failed("no XML context") }
                openings += 1
                return context
            }
        }
    }

    private static func device(_ number: Int, _ name: String) -> String {
        """
        <device id="iio:device\(number)" name="\(name)"><channel id="accel_x" type="input">\
        <attribute name="raw" filename="in_accel_x_raw"/></channel><attribute name="sampling_frequency"/></device>
        """
    }

    private let machine = Machine(device(0, "chip"))

    @Test func `a channel keeps its context open after its device is released`() throws {
        var context: IIOContext? = try machine.context()
        weak let observed = context
        var device = context?.devices.first
        context = nil
        #expect(device?.name == "chip")
        var channel = device?.channel("accel_x")
        device = nil
        #expect(channel?.fileName(of: "raw") == "in_accel_x_raw")
        channel = nil
        #expect(observed == nil)
    }

    @Test func `the next use of a device or a channel opens a closed context again, once`() throws {
        let context = try machine.context()
        let device = try #require(context.devices.first)
        let channel = try #require(device.channel("accel_x"))
        let attribute = try #require(device.writableAttribute("sampling_frequency", channel: "accel_x"))
        let uses: [() -> Bool] = [
            { device.name == "chip" }, { device.has("sampling_frequency") }, { channel.has("raw") },
            { channel.fileName(of: "raw") == "in_accel_x_raw" }, { device.channel("accel_x")?.has("raw") == true },
            { attribute.write("10") == -ENOSYS }, { context.devices.map(\.id) == ["iio:device0"] },
        ]
        for (count, use) in uses.enumerated() {
            context.closeUntilNextUse()
            context.closeUntilNextUse()
            #expect(device.id == "iio:device0")
            #expect(machine.openings == count + 1)
            #expect(use())
            #expect(use())
            #expect(machine.openings == count + 2)
        }
    }

    @Test func `a device is found by its id among the devices of a context opened again`() throws {
        let context = try machine.context()
        let device = try #require(context.devices.first)
        let channel = try #require(device.channel("accel_x"))
        context.closeUntilNextUse()
        machine.devices = [Self.device(1, "other"), Self.device(2, "iio:device0"), Self.device(0, "chip")]
        #expect(device.name == "chip")
        #expect(channel.has("raw"))
    }

    @Test func `a device that is absent from a context opened again has no attributes, until it is back`() throws {
        let context = try machine.context()
        let device = try #require(context.devices.first)
        let channel = try #require(device.channel("accel_x"))
        let attribute = try #require(device.writableAttribute("sampling_frequency", channel: "accel_x"))
        context.closeUntilNextUse()
        machine.devices = [Self.device(1, "other")]
        #expect(device.name == nil)
        #expect(device.channel("accel_x") == nil)
        #expect(!device.has("sampling_frequency"))
        #expect(device.isBufferEnabled == nil)
        #expect(!channel.has("raw"))
        #expect(!channel.isScanElement)
        #expect(!channel.hasValidFormat)
        #expect(attribute.write("10") == -ENODEV)
        guard case .missing = attribute.read() else {
            Issue.record("the attribute was read")
            return
        }
        #expect(throws: BufferError.self) { _ = try device.makeBuffer() }
        context.closeUntilNextUse()
        machine.devices = [Self.device(1, "other"), Self.device(0, "chip")]
        #expect(channel.has("raw"))
        #expect(device.name == "chip")
    }

    @Test func `a trigger that is absent from a context opened again is not attached`() throws {
        machine.devices.append(Self.device(1, "trigger"))
        let context = try machine.context()
        let devices = context.devices
        let device = try #require(devices.first { $0.name == "chip" })
        let trigger = try #require(devices.first { $0.name == "trigger" })
        context.closeUntilNextUse()
        machine.devices.removeLast()
        #expect(device.setTrigger(trigger) == -ENODEV)
    }

    @Test(arguments: [SensorFailure.failed("no access"), .unusable("cannot load libiio"), .noDevice("no IIO devices")])
    func `devices of a context that cannot be opened again are absent, until it can`(failure: SensorFailure) throws {
        let context = try machine.context()
        let device = try #require(context.devices.first)
        context.closeUntilNextUse()
        machine.failure = failure
        #expect(device.name == nil)
        #expect(context.devices.isEmpty)
        machine.failure = nil
        #expect(device.name == "chip")
        #expect(context.devices.count == 1)
    }

    @Test(arguments: [
        (SensorFailure?.none, false), (.failed("no access"), true), (.unusable("cannot load libiio"), true),
        (.noDevice("no IIO devices"), false),
    ])
    func `settings stay recorded if the context cannot be opened to restore them`(
        failure: SensorFailure?, isRecorded: Bool
    ) throws {
        let folder = try TemporaryDirectory()
        let record = RestoreRecord(folder: folder.path + "/state", bootID: "this")
        let context = try machine.context()
        do {
            let device = try #require(context.devices.first)
            var warnings: [String] = []
            let settings = try DeviceSettings(
                device, for: .capture, rate: 10, record: record, warnings: &warnings)
            context.closeUntilNextUse()
            #expect(record.exists)
            machine.failure = failure
            withExtendedLifetime(settings) {}
        }
        #expect(record.exists == isRecorded)
        let next = RestoreRecord(folder: folder.path + "/state", bootID: "this")
        #expect((next.takeUnrestored()?.device == "iio:device0") == isRecorded)
    }
}
