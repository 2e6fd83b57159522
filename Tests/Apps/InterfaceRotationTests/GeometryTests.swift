// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

@Suite struct GeometryTests {
    static let four: [InterfaceOrientation] = [
        .portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight,
    ]

    @MainActor @Test func `R35: views, transforms and rectangles print in UIKit's form`() {
        let view = View(frame: Rect(x: 0, y: 0.5, width: 320, height: 568))
        #expect("\(view)" == "<View; frame = (0 0.5; 320 568)>")
        view.transform = Transform(scaleX: 2, y: -1)
        #expect("\(view)" == "<View; frame = (-160 0.5; 640 568); transform = [2, 0, 0, -1, 0, 0]>")
        #expect("\(Transform(degrees: -90))" == "[0, -1, 1, 0, 0, 0]")
    }

    @Test func `R35: the matrix of each orientation has its angle`() {
        #expect(
            InterfaceOrientation.landscapeLeft.transform(on: .tall) == Transform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 0))
        #expect(
            InterfaceOrientation.landscapeRight.transform(on: .tall) == Transform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0)
        )
        #expect(InterfaceOrientation.portraitUpsideDown.transform(on: .tall) == Transform(scaleX: -1, y: -1))
        #expect(
            InterfaceOrientation.portrait.transform(on: .wide) == Transform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 0))
        #expect(
            InterfaceOrientation.portraitUpsideDown.transform(on: .wide)
                == Transform(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0))
        #expect(InterfaceOrientation.landscapeLeft.transform(on: .wide) == Transform(scaleX: -1, y: -1))
        for shape in PanelShape.allCases {
            for orientation in [.unknown, shape.naturalInterfaceOrientation] {
                #expect(orientation.transform(on: shape) == .identity)
            }
            for orientation in Self.four {
                #expect(orientation.transform(on: shape) == Transform(degrees: orientation.angle(on: shape)))
            }
        }
    }

    @Test func `R35: a positive angle turns clockwise because y grows downwards`() {
        let right = Point(x: 1, y: 0)
        #expect(right.applying(Transform(degrees: 90)) == Point(x: 0, y: 1))
        let eighth = right.applying(Transform(degrees: 45))
        #expect(abs(eighth.x - 0.5.squareRoot()) < 1e-12 && abs(eighth.y - 0.5.squareRoot()) < 1e-12)
    }

    @Test func `R35: concatenation applies the receiver first`() {
        let move = Transform(translationX: 10, y: 0)
        let turn = Transform(degrees: 90)
        #expect(Point.zero.applying(move.concatenating(turn)) == Point(x: 0, y: 10))
        #expect(Point.zero.applying(turn.concatenating(move)) == Point(x: 10, y: 0))
    }

    @Test func `R35: an inverse undoes a transform, and a singular matrix has none`() throws {
        let map = Transform(scaleX: 2, y: 4).concatenating(Transform(degrees: 30))
            .concatenating(Transform(translationX: 3, y: -7))
        let there = Point(x: 5, y: 6).applying(map)
        let back = there.applying(try #require(map.inverted()))
        #expect(abs(back.x - 5) < 1e-9 && abs(back.y - 6) < 1e-9)
        #expect(Transform(scaleX: 1, y: 0).inverted() == nil)
    }

    @Test func `R35: sizes and rectangles turn about the origin`() {
        let turn = InterfaceOrientation.landscapeLeft.transform(on: .tall)
        #expect(Size(width: 2, height: 3).applying(turn) == Size(width: 3, height: -2))
        #expect(
            Rect(x: 1, y: 1, width: 2, height: 3).applying(turn) == Rect(x: 1, y: -3, width: 3, height: 2))
    }

    @Test(arguments: PanelShape.allCases)
    func `R35: a turn takes the shorter direction, and a half turn is clockwise`(shape: PanelShape) {
        #expect(InterfaceTurn(from: .portrait, to: .landscapeLeft).degrees == -90)
        #expect(InterfaceTurn(from: .landscapeLeft, to: .portraitUpsideDown).degrees == -90)
        #expect(InterfaceTurn(from: .portraitUpsideDown, to: .landscapeRight).degrees == -90)
        #expect(InterfaceTurn(from: .landscapeRight, to: .portraitUpsideDown).degrees == 90)
        for orientation in Self.four {
            #expect(InterfaceTurn(from: orientation, to: orientation).degrees == 0)
            for other in Self.four {
                let turn = InterfaceTurn(from: orientation, to: other)
                #expect((-90...180).contains(turn.degrees))
                let turned = orientation.transform(on: shape).concatenating(turn.targetTransform)
                #expect(turned == other.transform(on: shape))
            }
        }
        #expect(InterfaceTurn(from: .landscapeRight, to: .landscapeLeft).degrees == 180)
        #expect(
            InterfaceTurn(from: .landscapeLeft, to: .landscapeRight).angle(at: 0.5, on: shape)
                == (shape == .tall ? 0 : 270))
    }

    @Test func `R37: insets turn with the interface`() {
        let insets = EdgeInsets(top: 40, left: 0, bottom: 34, right: 0)
        #expect(insets.turned(to: .landscapeRight) == EdgeInsets(top: 0, left: 40, bottom: 0, right: 34))
        #expect(insets.turned(to: .landscapeLeft) == EdgeInsets(top: 0, left: 34, bottom: 0, right: 40))
        #expect(insets.turned(to: .portraitUpsideDown) == EdgeInsets(top: 34, left: 0, bottom: 40, right: 0))
        let odd = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        for old in Self.four {
            for new in Self.four {
                #expect(odd.turned(to: old).turned(from: old, to: new) == odd.turned(to: new))
            }
            #expect(SafeArea(odd, in: old).safeAreaInsets(for: old) == odd)
        }
        #expect(odd.turned(to: .unknown) == odd && odd.turned(from: .unknown, to: .landscapeLeft) == odd)
    }

    @Test(arguments: PanelShape.allCases)
    func `R37: a safe area is rotated, unless an orientation has its own`(shape: PanelShape) {
        let odd = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        let tall = Size(width: 320, height: 568)
        let screen = shape == .tall ? tall : tall.swapped
        let safeArea = SafeArea(odd, in: shape.naturalInterfaceOrientation)
        for orientation in Self.four {
            // Rotated about the center of the screen, each rectangle equals that of the unrotated picture.
            let size = screen.turned(to: orientation, on: shape)
            let drawn = Transform(translationX: -size.width / 2, y: -size.height / 2)
                .concatenating(orientation.transform(on: shape))
                .concatenating(Transform(translationX: screen.width / 2, y: screen.height / 2))
            let area = safeArea.safeArea(in: screen, for: orientation)
            #expect(area.applying(drawn) == Rect(x: 2, y: 1, width: screen.width - 6, height: screen.height - 4))
        }
        let bar = EdgeInsets(top: 20, left: 0, bottom: 0, right: 0)
        let area = SafeArea(portrait: odd, exceptions: [.landscapeLeft: bar])
        #expect(area.safeArea(in: screen, for: .landscapeLeft) == Rect(x: 0, y: 20, width: 568, height: 300))
        #expect(area.safeAreaInsets(for: .landscapeRight) == odd.turned(to: .landscapeRight))
    }

    @Test(arguments: PanelShape.allCases)
    func `R38: the columns of the table are consistent`(shape: PanelShape) throws {
        for (number, row) in DisplayRotation.table.enumerated() {
            #expect(try DisplayRotation(waylandTransform: number) == row)
            #expect(try DisplayRotation(xrandr: row.xrandr) == row)
            #expect(try DisplayRotation(sensorProxy: row.sensorProxy) == row)
            let interface = row.interface(on: shape)
            #expect(DisplayRotation(interface, on: shape) == row)
            #expect(InterfaceOrientation(row.edge(on: shape)) == interface)
            #expect(Transform(degrees: -90 * Double(number)) == interface.transform(on: shape))
            #expect(row.swapsSides == (interface.isLandscape == (shape == .tall)))
        }
    }

    @Test func `R38: the rows of the table have the values of compositors, xrandr and iio-sensor-proxy`() {
        #expect(
            DisplayRotation.table.map { "\($0.angle) \($0.wayland) \($0.xrandr) \($0.sensorProxy)" }
                == [
                    "0.0 0 normal normal", "-90.0 1 left left-up", "180.0 2 inverted bottom-up",
                    "90.0 3 right right-up",
                ])
        #expect(
            DisplayRotation.table.map { "\($0.interface(on: .tall)) \($0.edge(on: .tall))" }
                == [
                    "portrait portrait", "landscapeLeft landscapeRight", "portraitUpsideDown portraitUpsideDown",
                    "landscapeRight landscapeLeft",
                ])
        #expect(
            DisplayRotation.table.map { "\($0.interface(on: .wide)) \($0.edge(on: .wide))" }
                == [
                    "landscapeRight landscapeLeft", "portrait portrait", "landscapeLeft landscapeRight",
                    "portraitUpsideDown portraitUpsideDown",
                ])
        let kernel = ["Normal", "Left Side Up", "Upside Down", "Right Side Up"]
        #expect(kernel.map { PanelOrientation(rawValue: $0)?.rotation.wayland } == [0, 1, 2, 3])
    }

    @Test func `R38: a panel adds its rotation`() {
        #expect(PanelOrientation.allCases.map(\.rotation.wayland) == [0, 1, 2, 3])
        for interface in [DisplayRotation(.landscapeLeft, on: .tall), DisplayRotation(.portrait, on: .wide)] {
            #expect(interface.composed(with: PanelOrientation.leftSideUp.rotation).panelEdge == .bottom)
        }
        for row in DisplayRotation.table {
            #expect(row.composed(with: row.inverse).wayland == 0)
            for panel in PanelOrientation.allCases {
                let both = row.transform.concatenating(panel.rotation.transform)
                #expect(row.composed(with: panel.rotation).transform == both)
            }
        }
    }

    @Test(arguments: 4...7)
    func `R38: a flipped output is an error`(number: Int) {
        #expect(throws: DisplayRotationError.flipped(number)) { try DisplayRotation(waylandTransform: number) }
        #expect("\(DisplayRotationError.flipped(number))".contains("mirrored"))
    }

    @Test func `R38: a value that is not in the table is an error`() {
        #expect(throws: DisplayRotationError.unknownTransform(8)) { try DisplayRotation(waylandTransform: 8) }
        #expect(throws: DisplayRotationError.unknownWord("top-up")) { try DisplayRotation(sensorProxy: "top-up") }
        #expect(throws: DisplayRotationError.unknownWord("left-up")) { try DisplayRotation(xrandr: "left-up") }
    }
}

extension DisplayRotation {
    fileprivate var transform: Transform { Transform(degrees: angle) }
}
