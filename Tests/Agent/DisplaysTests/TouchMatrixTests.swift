// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Displays

@Suite struct TouchMatrixTests {
    /// A corner of the panel, or of the picture: x to the right, y downwards, from 0 to 1.
    private typealias Point = [Float]
    private static let topLeft: Point = [0, 0]
    private static let topRight: Point = [1, 0]
    private static let bottomLeft: Point = [0, 1]
    private static let bottomRight: Point = [1, 1]

    private func map(_ point: Point, _ matrix: TouchMatrix) -> Point {
        let elements = matrix.elements
        return (0..<2).map { (row: Int) -> Float in
            let x: Float = elements[row * 3] * point[0]
            let y: Float = elements[row * 3 + 1] * point[1]
            return x + y + elements[row * 3 + 2]
        }
    }

    @Test func `with the picture rotated to the left its top is at the left side of the panel`() {
        let matrix = TouchMatrix(.rotated90)
        #expect(map(Self.bottomLeft, matrix) == Self.topLeft)
        #expect(map(Self.topLeft, matrix) == Self.topRight)
        #expect(map(Self.topRight, matrix) == Self.bottomRight)
    }

    @Test func `with the picture rotated to the right its top is at the right side of the panel`() {
        let matrix = TouchMatrix(.rotated270)
        #expect(map(Self.topRight, matrix) == Self.topLeft)
        #expect(map(Self.bottomRight, matrix) == Self.topRight)
    }

    @Test func `upside down the corners are opposite`() {
        let matrix = TouchMatrix(.rotated180)
        #expect(map(Self.topLeft, matrix) == Self.bottomRight)
        #expect(map(Self.topRight, matrix) == Self.bottomLeft)
    }

    @Test func `a mirrored picture has its left side at the right side of the panel`() {
        #expect(map(Self.topRight, TouchMatrix(.flipped)) == Self.topLeft)
        // Mirrored, and then rotated to the left: the top is at the left side, and its left end at the top.
        #expect(map(Self.topLeft, TouchMatrix(.flipped90)) == Self.topLeft)
        #expect(map(Self.bottomLeft, TouchMatrix(.flipped90)) == Self.topRight)
    }

    @Test func `a panel beside a monitor has its part of the screen`() {
        let matrix = TouchMatrix(
            .rotated90, in: LayoutRectangle(x: 1920, y: 0, width: 800, height: 1280),
            of: LayoutSize(width: 2720, height: 1280))
        #expect(map(Self.bottomLeft, matrix).map { ($0 * 2720).rounded() } == [1920, 0])
        #expect(map(Self.topRight, matrix) == [1, 1])
    }

    @Test func `a calibration is applied before the rotation`() {
        let calibration = TouchMatrix([1.1, 0, -0.05, 0, 1.1, -0.05, 0, 0, 1])
        #expect(calibration.isCalibration)
        let matrix = TouchMatrix(.rotated180) * calibration
        #expect(zip(map([0.5, 0.5], matrix), [0.5, 0.5]).allSatisfy { abs($0 - $1) < 0.001 })
        #expect(!TouchMatrix(.rotated90).isCalibration)
        #expect(!TouchMatrix(.flipped).isCalibration)
    }
}

/// The output that a device belongs to, on a screen with the panel eDP-1 (217 x 136 mm) and the monitor HDMI-1 (527 x 296 mm).
@Suite struct X11DeviceOutputTests {
    private let screen = X11PlanTests.screen
    private static let ofPanel = LayoutSize(width: 215, height: 135)
    private static let ofMonitor = LayoutSize(width: 530, height: 300)

    private func output(_ former: Set<String> = [], _ millimeters: LayoutSize? = nil) -> String {
        screen.outputName(ofDeviceFirstAt: former, millimeters: millimeters, panel: "eDP-1")
    }

    @Test func `a device of unknown size belongs to the panel`() {
        #expect(output() == "eDP-1")
    }

    @Test func `a device with the size of the monitor belongs to the monitor`() {
        #expect(output([], Self.ofMonitor) == "HDMI-1")
        #expect(output([], Self.ofPanel) == "eDP-1")
        // Mounted turned.
        #expect(output([], LayoutSize(width: 135, height: 215)) == "eDP-1")
    }

    @Test func `a device of another size than all panels belongs to the panel`() {
        #expect(output([], LayoutSize(width: 100, height: 60)) == "eDP-1")
    }

    @Test func `a device that was mapped to an output belongs to it`() throws {
        let matrix = try #require(screen.matrix(of: "HDMI-1"))
        #expect(screen.outputNames(with: matrix) == ["HDMI-1"])
        #expect(output(["HDMI-1"], Self.ofPanel) == "HDMI-1")
        #expect(output(["eDP-1"], Self.ofMonitor) == "eDP-1")
        #expect(screen.outputNames(with: .identity) == [])
    }

    @Test func `a device belongs to the panel while the monitor is off`() {
        var screen = screen
        screen.controllers[1].mode = 0
        #expect(
            screen.outputName(ofDeviceFirstAt: ["HDMI-1"], millimeters: Self.ofMonitor, panel: "eDP-1") == "eDP-1")
    }

    @Test func `outputs that mirror each other have the same matrix`() {
        var screen = screen
        screen.controllers[1].rectangle = screen.controllers[0].rectangle
        screen.size = LayoutSize(width: 1280, height: 800)
        #expect(screen.outputNames(with: .identity) == ["eDP-1", "HDMI-1"])
        #expect(
            screen.outputName(ofDeviceFirstAt: ["eDP-1", "HDMI-1"], millimeters: nil, panel: "eDP-1") == "eDP-1")
    }
}

@Suite struct X11InputDeviceTests {
    /// Builds a device as in a reply to XIQueryDevice, in this machine's byte order.
    private func device(_ identifier: UInt16, type: UInt16 = 3, name: String = "panel", classes: [[UInt8]]) -> [UInt8] {
        words([identifier, type, 2, UInt16(classes.count), UInt16(name.utf8.count), 1]) + Array(name.utf8)
            + Array(repeating: 0, count: (4 - name.utf8.count % 4) % 4) + classes.flatMap { $0 }
    }

    private func words(_ words: [UInt16]) -> [UInt8] { words.flatMap { withUnsafeBytes(of: $0, Array.init) } }

    private func touch(mode: UInt8) -> [UInt8] { words([8, 2, 6]) + [mode, 10] }

    private func valuator(_ number: UInt16, mode: UInt8) -> [UInt8] {
        words([2, 11, 6, number]) + Array(repeating: 0, count: 32) + [mode, 0, 0, 0]
    }

    private func parse(_ bytes: [UInt8], count: Int) -> [String] {
        bytes.withUnsafeBytes {
            var reader = X11Reader($0)
            return X11InputDevice.all(in: &reader, count: count).map { "\($0.identifier) \($0.name)" }
        }
    }

    @Test func `touch screens and pens are found, mice, touchpads and master pointers are not`() {
        let bytes =
            device(2, type: 1, name: "Virtual core pointer", classes: [valuator(0, mode: 1), touch(mode: 1)])
            + device(7, name: "mouse", classes: [valuator(0, mode: 0), valuator(1, mode: 0), valuator(2, mode: 1)])
            + device(8, name: "touchpad", classes: [valuator(0, mode: 0), touch(mode: 2)])
            + device(9, name: "touch", classes: [valuator(0, mode: 0), touch(mode: 1)])
            + device(10, name: "pen", classes: [valuator(0, mode: 1), valuator(1, mode: 1)])
            + device(11, type: 5, name: "floating", classes: [touch(mode: 1)])
            + device(12, type: 4, name: "keyboard", classes: [])
        #expect(parse(bytes, count: 7) == ["9 touch", "10 pen", "11 floating"])
    }

    @Test func `a list that ends early has the devices before its end`() {
        let whole = device(9, name: "touch", classes: [touch(mode: 1)]) + device(10, classes: [touch(mode: 1)])
        for length in 0..<whole.count { #expect(parse(Array(whole[..<length]), count: 2).count <= 1) }
        #expect(parse(whole, count: 2).count == 2)
    }

    @Test func `a class without a length ends the list`() {
        #expect(parse(device(9, classes: [words([8, 0, 6]) + [1, 1]]), count: 1) == [])
    }
}
