// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import Sensors

/// Buffers without scans: hubs that send changes only, with live and with cached attributes, and triggers that stopped.
@Suite struct BufferSilenceTests {
    private static let upright = Acceleration(x: 0, y: 9.8, z: 0)
    private static let trembling = Acceleration(x: 0.1, y: 9.8, z: 0.1)
    private static let right = Acceleration(x: 9.8, y: 0, z: 0)
    private static let flat = Acceleration(x: 0, y: 0, z: 9.8)

    enum Step {
        case scan(Acceleration)
        case read(BufferSilence.Reading, BufferSilence.Verdict)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var isHub = true
        var first: BufferSilence.Reading?
        let steps: [Step]
    }

    private static let rows = [
        Row(
            testDescription: "a hub at rest, with live attributes", first: .vector(upright),
            steps: [
                .scan(upright), .read(.vector(trembling), .still(trembling)), .scan(right),
                .read(.vector(right), .still(right)),
            ]),
        Row(
            testDescription: "a hub that returns its first value for ever", first: .vector(upright),
            steps: [
                .scan(upright), .read(.vector(upright), .still(upright)), .scan(right),
                .read(.vector(upright), .still(right)), .scan(flat), .read(.vector(upright), .still(flat)),
            ]),
        Row(
            testDescription: "a hub that is turned before its first silence", first: .vector(upright),
            steps: [.scan(right), .read(.vector(upright), .still(right))]),
        Row(
            testDescription: "a hub whose buffer stopped while its attributes follow a turn", first: .vector(upright),
            steps: [.scan(upright), .read(.vector(right), .stopped)]),
        Row(
            testDescription: "a hub whose attributes have changed, and that is turned back", first: .vector(upright),
            steps: [.scan(right), .read(.vector(right), .still(right)), .read(.vector(upright), .stopped)]),
        Row(
            testDescription: "a hub without a first scan, which lies still and is turned", first: .vector(upright),
            steps: [
                .read(.vector(upright), .still(upright)), .read(.vector(trembling), .still(trembling)),
                .read(.vector(right), .stopped),
            ]),
        Row(
            testDescription: "a hub without a first scan, with cached attributes", first: .vector(upright),
            steps: [.read(.vector(upright), .still(upright)), .scan(right), .read(.vector(upright), .still(right))]),
        Row(
            testDescription: "a hub that cannot be read while it captures", first: .refused,
            steps: [.read(.refused, .stopped), .scan(right), .read(.refused, .still(right))]),
        Row(
            testDescription: "a hub that hangs", first: .vector(upright),
            steps: [.scan(upright), .read(.invalid, .stopped)]),
        Row(
            testDescription: "a chip whose trigger never fires", isHub: false,
            steps: [.read(.vector(upright), .stopped)]),
        Row(
            testDescription: "a chip that lies still", isHub: false,
            steps: [.scan(upright), .read(.vector(trembling), .still(trembling))]),
        Row(
            testDescription: "a chip whose trigger stopped", isHub: false,
            steps: [
                .scan(right), .read(.vector(right), .still(right)), .scan(upright), .read(.vector(right), .stopped),
            ]),
        Row(
            testDescription: "a chip that cannot be read", isHub: false,
            steps: [.scan(upright), .read(.refused, .stopped)]),
    ]

    @Test(arguments: rows)
    func `a silence is rest or a fault`(row: Row) {
        var silence = BufferSilence(isHub: row.isHub, first: row.first)
        for (index, step) in row.steps.enumerated() {
            switch step {
            case .scan(let vector): silence.scanned(vector)
            case .read(let reading, let verdict):
                let found = silence.verdict(on: reading)
                #expect(found == verdict, "step \(index)")
            }
        }
    }
}
