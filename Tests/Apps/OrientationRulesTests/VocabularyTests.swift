// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationModel
import OrientationRules
import Testing

@Suite struct VocabularyTests {
    @Test func `R1: device orientations have UIKit's raw values and classes`() {
        let names = DeviceOrientation.allCases.map(\.description)
        #expect(
            names == [
                "unknown", "portrait", "portraitUpsideDown", "landscapeLeft", "landscapeRight", "faceUp",
                "faceDown",
            ])
        #expect(DeviceOrientation.allCases.map(\.rawValue) == Array(0...6))
        #expect(DeviceOrientation.allCases.filter(\.isPortrait) == [.portrait, .portraitUpsideDown])
        #expect(DeviceOrientation.allCases.filter(\.isLandscape) == [.landscapeLeft, .landscapeRight])
        #expect(DeviceOrientation.allCases.filter(\.isFlat) == [.faceUp, .faceDown])
        #expect(
            DeviceOrientation.allCases.filter(\.isValidInterfaceOrientation).map(\.rawValue) == [1, 2, 3, 4])
    }

    @Test func `R1: orientations are coded by name`() throws {
        let device = try JSONEncoder().encode([DeviceOrientation.faceUp])
        #expect(String(decoding: device, as: UTF8.self) == #"["faceUp"]"#)
        #expect(try JSONDecoder().decode([DeviceOrientation].self, from: device) == [.faceUp])
        let edge = try JSONEncoder().encode([Edge.landscapeLeft])
        #expect(String(decoding: edge, as: UTF8.self) == #"["landscapeLeft"]"#)
        let interface = try JSONEncoder().encode([InterfaceOrientation.landscapeLeft])
        #expect(String(decoding: interface, as: UTF8.self) == #"["landscapeLeft"]"#)
        #expect(try JSONDecoder().decode([InterfaceOrientation].self, from: interface) == [.landscapeLeft])
    }

    @Test func `R2: the landscapes swap between device and interface`() {
        #expect(InterfaceOrientation(DeviceOrientation.landscapeLeft) == .landscapeRight)
        #expect(InterfaceOrientation(DeviceOrientation.landscapeRight) == .landscapeLeft)
        #expect(InterfaceOrientation(DeviceOrientation.landscapeLeft)?.rawValue == 3)
        for edge in Edge.allCases {
            #expect(InterfaceOrientation(edge).edge == edge)
            #expect(InterfaceOrientation(edge).rawValue == edge.rawValue)
            #expect(DeviceOrientation(InterfaceOrientation(edge)) == DeviceOrientation(edge))
        }
    }

    @Test(arguments: [DeviceOrientation.faceUp, .faceDown, .unknown])
    func `R2: flat and unknown have no interface orientation`(device: DeviceOrientation) {
        #expect(InterfaceOrientation(device) == nil)
    }

    @Test func `R2: unknown has no device orientation, and an invalid raw value has no orientation`() {
        #expect(DeviceOrientation(InterfaceOrientation.unknown) == nil)
        #expect([-1, 5, 8, 255].allSatisfy { InterfaceOrientation(rawValue: $0) == nil })
        #expect((0...4).allSatisfy { InterfaceOrientation(rawValue: $0)?.rawValue == $0 })
    }

    @Test
    func `R2: a clockwise device takes the interface through landscapeLeft, upside down, landscapeRight`() {
        // Turned clockwise, the device's left edge comes up first.
        let device: [Edge] = [.portrait, .landscapeRight, .portraitUpsideDown, .landscapeLeft]
        #expect(
            device.map { InterfaceOrientation($0) }
                == [.portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight])
    }

    @Test func `R3: each bit is one shifted by the raw value`() {
        for orientation in InterfaceOrientation.allCases where orientation != .unknown {
            #expect(InterfaceOrientationMask(orientation).rawValue == 1 << orientation.rawValue)
        }
        let masks: [InterfaceOrientationMask] = [
            .portrait, .portraitUpsideDown, .landscapeRight, .landscapeLeft, .landscape, .allButUpsideDown,
            .all,
        ]
        #expect(masks.map(\.rawValue) == [2, 4, 8, 16, 24, 26, 30])
        #expect(InterfaceOrientationMask(.unknown).isEmpty)
        #expect(InterfaceOrientationMask(rawValue: 255) == .all)
    }

    @Test func `R3: a mask is written as a list of names and read back`() throws {
        let data = try JSONEncoder().encode([InterfaceOrientationMask.landscape])
        #expect(String(decoding: data, as: UTF8.self) == #"[["landscapeRight","landscapeLeft"]]"#)
        #expect(try JSONDecoder().decode([InterfaceOrientationMask].self, from: data) == [.landscape])
        let foreign = Data(#"[["sideways"]]"#.utf8)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([InterfaceOrientationMask].self, from: foreign)
        }
    }

    @Test func `R3: a mask is iterated in raw order`() {
        #expect(
            Array(InterfaceOrientationMask.all.orientations)
                == [.portrait, .portraitUpsideDown, .landscapeRight, .landscapeLeft])
        #expect(InterfaceOrientationMask.landscape.contains(.landscapeLeft))
        #expect(!InterfaceOrientationMask.landscape.contains(InterfaceOrientation.portrait))
        #expect(!InterfaceOrientationMask.all.contains(InterfaceOrientation.unknown))
        #expect(InterfaceOrientationMask([InterfaceOrientation.portrait, .landscapeLeft]).rawValue == 18)
        #expect("\(InterfaceOrientationMask.landscape)" == "landscapeRight, landscapeLeft")
    }

    @Test func `R3: a mask is not read from a list that names unknown, which has no bit`() throws {
        let list = Data(#"["unknown", "portrait"]"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(InterfaceOrientationMask.self, from: list) }
    }
}
