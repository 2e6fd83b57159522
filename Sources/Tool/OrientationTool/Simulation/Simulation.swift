// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel
import OrientationWire
import Varlink

/// A word of `simulate`, its values, and the call of the simulator that it makes.
struct Simulation: Sendable {
    enum Values {
        case none
        case pose
        case word(WordList<String>, standard: String? = nil)
        case numbers(ClosedRange<Double>, count: Int = 1)
    }

    let word: String
    /// The word and its values, for the help.
    let synopsis: String
    let help: String
    let values: Values
    var hasDuration = false
    let method: String
    let parameters: @Sendable ([JSONValue]) -> JSONObject
    /// Returns the new state of the device from the values, for the confirmation.
    let result: @Sendable (String) -> String

    /// The poses, named by the natural orientation, and edges.
    static var poses: WordList<PoseWord> { .poses }

    /// The words; a new one is a row.
    static let all: [Simulation] = [
        Simulation(
            word: "hold", synopsis: "hold POSE", help: "hold the device in a pose", values: .pose,
            method: SimulatorInterface.setPose, parameters: { ["pose": $0[0]] }, result: { "held with \($0)" }),
        Simulation(
            word: "turn", synopsis: "turn POSE", help: "turn it to a pose in an arc (0.4 s)", values: .pose,
            hasDuration: true, method: SimulatorInterface.turn, parameters: { ["to": $0[0]] },
            result: { "turning to \($0)" }),
        Simulation(
            word: "shake", synopsis: "shake", help: "shake it in its pose (1 s)", values: .none, hasDuration: true,
            method: SimulatorInterface.shake, parameters: { _ in [:] }, result: { _ in "shaking" }),
        Simulation(
            word: "read", synopsis: "read X Y Z",
            help: "set the reading in m/s², \(SimulatorInterface.accelerations.words)",
            values: .numbers(SimulatorInterface.accelerations, count: 3), method: SimulatorInterface.setAcceleration,
            parameters: { ["x": $0[0], "y": $0[1], "z": $0[2]] }, result: { "reading \($0) m/s²" }),
        Simulation(
            word: "fail", synopsis: "fail [KIND]", help: "failed, gone or silent: all sensors fail (2 s; 0 ends it)",
            values: .word(WordList(["failed", "gone", "silent"]), standard: "failed"), hasDuration: true,
            method: SimulatorInterface.fail, parameters: { ["kind": $0[0]] },
            result: { "all sensors fail, as requested: \($0)" }),
        Simulation(
            word: "tablet", synopsis: "tablet", help: "fold it: tablet mode is on", values: .none,
            method: SimulatorInterface.setTabletMode, parameters: { _ in ["tabletMode": true] },
            result: { _ in "tablet mode is on" }),
        Simulation(
            word: "laptop", synopsis: "laptop", help: "unfold it: tablet mode is off", values: .none,
            method: SimulatorInterface.setTabletMode, parameters: { _ in ["tabletMode": false] },
            result: { _ in "tablet mode is off" }),
        Simulation(
            word: "fold", synopsis: "fold ANGLE", help: "set the lid angle, 0 (shut) to 360 (folded back)",
            values: .numbers(SimulatorInterface.angles), method: SimulatorInterface.setLidAngle,
            parameters: { ["angle": $0[0]] }, result: { "folding to a lid angle of \($0) degrees" }),
        Simulation(
            word: "light", synopsis: "light LUX",
            help: "set the ambient light, \(SimulatorInterface.lightLevels.words)",
            values: .numbers(SimulatorInterface.lightLevels), method: SimulatorInterface.setLight,
            parameters: { ["level": $0[0]] }, result: { "the light is \($0) lux" }),
        Simulation(
            word: "proximity", synopsis: "proximity DISTANCE", help: "near or far: move an object",
            values: .word(WordList(["near", "far"])), method: SimulatorInterface.setProximity,
            parameters: { ["near": .bool($0[0] == .string("near"))] }, result: { "an object is \($0)" }),
        Simulation(
            word: "compass", synopsis: "compass DEGREES", help: "set the heading clockwise from north, 0 to 360",
            values: .numbers(SimulatorInterface.angles), method: SimulatorInterface.setHeading,
            parameters: { ["heading": $0[0]] }, result: { "the heading is \($0) degrees" }),
    ]

    /// Returns the call for the words of a command line; `natural` returns the natural orientation of the device.
    static func call(
        _ words: [String], _ duration: Double?, natural: () throws -> Edge
    ) throws -> (method: String, parameters: JSONObject, result: String) {
        // Precedes negative numbers.
        let words = words.filter { $0 != "--" }
        if let option = words.first(where: { $0.hasPrefix("-") && Double($0) == nil }) {
            throw ValidationError("unknown option '\(option)'")
        }
        guard let first = words.first else { throw ValidationError("missing expected argument '<word>'") }
        let named = all.first { $0.word == first }
        guard let simulation = named ?? (poses[first] == nil ? nil : all[0]) else {
            let valid = (all.map(\.word) + poses.words).joined(separator: ", ")
            throw ValidationError("invalid word '\(first)': valid: \(valid)")
        }
        if duration != nil, !simulation.hasDuration {
            let valid = all.filter(\.hasDuration).map(\.word).joined(separator: ", ")
            throw ValidationError("--duration: not valid for \(simulation.word): valid for \(valid)")
        }
        let values = try simulation.parse(named == nil ? words : Array(words.dropFirst()), natural)
        var parameters = simulation.parameters(values.json)
        parameters["duration"] = duration.map { .real($0) }
        let isEnd = simulation.method == SimulatorInterface.fail && duration == 0
        return (simulation.method, parameters, isEnd ? "no failure" : simulation.result(values.text))
    }

    private func parse(_ texts: [String], _ natural: () throws -> Edge) throws -> (json: [JSONValue], text: String) {
        var texts = texts
        var count = 0
        switch values {
        case .none: break
        case .pose: count = 1
        case .word(_, let standard):
            count = 1
            if texts.isEmpty, let standard { texts = [standard] }
        case .numbers(_, let expected): count = expected
        }
        guard texts.count == count else {
            throw ValidationError("\(word): invalid number of values \(texts.count): must be \(count)")
        }
        let values = try texts.map { text -> (json: JSONValue, text: String) in
            do {
                switch self.values {
                case .none: return (.null, text)
                case .pose:
                    let pose = try Self.poses.parse(text).pose(natural: natural)
                    return (.string(pose.description), pose.text(natural: try natural()))
                case .word(let list, _):
                    let word = try list.parse(text)
                    return (.string(word), word)
                case .numbers(let range, _): return (.real(try NumberRange(range).parse(text)), text)
                }
            } catch let error as ValidationError {
                throw ValidationError("\(word): invalid value '\(text)': \(error.message)")
            }
        }
        return (values.map(\.json), values.map(\.text).joined(separator: ", "))
    }
}
