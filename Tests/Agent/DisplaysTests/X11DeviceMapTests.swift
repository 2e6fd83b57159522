// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Displays

/// On a screen with the panel eDP-1 and the monitor HDMI-1.
@Suite struct X11DeviceMapTests {
    private var map = X11DeviceMap()
    private let screen = X11PlanTests.screen
    private let touch = X11InputDevice(identifier: 9, name: "touch")
    private let pen = X11InputDevice(identifier: 10, name: "pen")

    private func update(_ map: inout X11DeviceMap, _ found: [(X11InputDevice, TouchMatrix)]) throws {
        try map.update(found, on: screen) { _ in nil }
    }

    /// The changes, and the map after the server has made them.
    private func apply(_ map: inout X11DeviceMap, panel: String = "eDP-1") -> [UInt16: TouchMatrix] {
        let changes = map.changes(to: panel, on: screen)
        for (identifier, matrix) in changes { map.wasSet(matrix, of: identifier) }
        return Dictionary(uniqueKeysWithValues: changes.map { ($0.identifier, $0.matrix) })
    }

    @Test mutating func `a device gets the matrix of the panel once`() throws {
        try update(&map, [(touch, .identity)])
        let matrix = try #require(screen.matrix(of: "eDP-1"))
        #expect(apply(&map) == [9: matrix])
        #expect(apply(&map) == [:])
    }

    @Test mutating func `a matrix that the server has set back is read again, and set again`() throws {
        try update(&map, [(touch, .identity)])
        let matrix = try #require(apply(&map)[9])
        try update(&map, [(touch, matrix)])
        #expect(apply(&map) == [:])
        // Connected again: with its former number, and the matrix of the start.
        try update(&map, [(touch, .identity)])
        #expect(apply(&map) == [9: matrix])
    }

    @Test mutating func `a device that was on the monitor at first stays there after its matrix is read again`() throws
    {
        let ofMonitor = try #require(screen.matrix(of: "HDMI-1"))
        try update(&map, [(touch, ofMonitor)])
        #expect(apply(&map) == [:])
        try update(&map, [(touch, .identity)])
        #expect(apply(&map) == [9: ofMonitor])
    }

    @Test mutating func `a correction of the first matrix is kept after the matrix is read again`() throws {
        let correction = TouchMatrix([1.1, 0, -0.05, 0, 1.1, -0.05, 0, 0, 1])
        try update(&map, [(touch, correction)])
        let matrix = try #require(apply(&map)[9])
        #expect(matrix == (try #require(screen.matrix(of: "eDP-1"))) * correction)
        try update(&map, [(touch, .identity)])
        #expect(apply(&map) == [9: matrix])
    }

    @Test mutating func `another device with the same number is new, and a removed one is not set`() throws {
        let ofMonitor = try #require(screen.matrix(of: "HDMI-1"))
        try update(&map, [(touch, ofMonitor)])
        let other = X11InputDevice(identifier: 9, name: "other")
        try update(&map, [(other, .identity), (pen, .identity)])
        let matrix = try #require(screen.matrix(of: "eDP-1"))
        #expect(map.changes(to: "eDP-1", on: screen).count == 2)
        map.wasRemoved(10)
        #expect(apply(&map) == [9: matrix])
    }
}
