// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationModel
import OrientationWire
import Varlink

/// The poses, named by the natural orientation.
private let poses = WordList([
    "portrait", "landscapeLeft", "portraitUpsideDown", "landscapeRight", "faceUp", "faceDown",
])
private let poseHelp = ArgumentHelp("Pose of the device", discussion: poses.help)

// MARK: Motion

extension Simulate {
    struct Hold: Simulation {
        static let configuration = subcommand(
            "Hold the device in a pose (the default subcommand)", example: "hold faceUp")

        @Argument(help: poseHelp, completion: .list(poses.words), transform: parse)
        var pose: String
        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        /// Parses a pose; a mistyped subcommand also arrives here.
        @Sendable private static func parse(_ text: String) throws -> String {
            let commands = WordList(Simulate.configuration.subcommands.map { $0._commandName })
            // An option before the subcommand selects this one.
            if commands.words.contains(text) {
                throw ValidationError("options must follow the subcommand, as in 'simulate \(text) --quiet'")
            }
            if poses.closest(to: text) == nil, let closest = commands.closest(to: text) {
                let valid = (commands.words + poses.words).joined(separator: ", ")
                throw ValidationError("did you mean 'simulate \(closest)'? valid: \(valid)")
            }
            return try poses.parse(text)
        }

        var call: SimulatorCall { (SimulatorInterface.setPose, ["pose": .string(pose)]) }
        var result: String { "held in \(pose)" }
    }

    struct Turn: Simulation {
        static let configuration = subcommand(
            "Turn the device to a pose in an arc", note: "The turn takes 0.4 s without --duration.",
            example: "turn portrait --duration 0.5")

        @Argument(help: poseHelp, completion: .list(poses.words), transform: poses.parse)
        var pose: String
        @OptionGroup var time: SimulatedTime
        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        var call: SimulatorCall { (SimulatorInterface.turn, time.added(to: ["to": .string(pose)])) }
        var result: String { "turning to \(pose)" }
    }

    struct Shake: Simulation {
        static let configuration = subcommand(
            "Shake the device in its pose", note: "Shaking takes 1 s without --duration.",
            example: "shake --duration 2")

        @OptionGroup var time: SimulatedTime
        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        var call: SimulatorCall { (SimulatorInterface.shake, time.added(to: [:])) }
        var result: String { "shaking" }
    }

    struct Read: Simulation {
        static let configuration = subcommand("Set the reading of the accelerometer", example: "read 0 -9.81 0")

        // Strings, so that negative numbers are not parsed as options, and --help is still recognized.
        @Argument(
            parsing: .allUnrecognized,
            help: ArgumentHelp("Components in m/s², \(SimulatorInterface.accelerations.words)", valueName: "x y z"))
        var components: [String]
        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        var call: SimulatorCall {
            get throws {
                let vector = try NumberRange(SimulatorInterface.accelerations).parse(components, of: "x y z", count: 3)
                return (
                    SimulatorInterface.setAcceleration,
                    ["x": .real(vector[0]), "y": .real(vector[1]), "z": .real(vector[2])]
                )
            }
        }
        var result: String { "reading \(components.joined(separator: ", ")) m/s²" }
    }
}

// MARK: Failures and the hinge

extension Simulate {
    struct Fail: Simulation {
        static let kinds = WordList(["failed", "gone", "silent"])
        static let configuration = subcommand(
            "Make the sensors fail for some time",
            note: """
                All sensors of the device fail, including light, proximity and compass. The failure lasts 2 s without --duration; \
                --duration 0 ends one.
                """,
            example: "fail gone --duration 10")

        @Argument(
            help: ArgumentHelp("Kind of failure (default: failed)", discussion: kinds.help),
            completion: .list(kinds.words), transform: kinds.parse)
        var kind: String = "failed"
        @OptionGroup var time: SimulatedTime
        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        var call: SimulatorCall { (SimulatorInterface.fail, time.added(to: ["kind": .string(kind)])) }
        var result: String {
            time.duration == 0 ? "no failure" : "all sensors fail, as requested: \(kind)"
        }
    }

    struct Tablet: Simulation {
        static let configuration = subcommand(
            "Fold the device to a tablet: tablet mode is on", note: noHinge, example: "tablet")

        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        var call: SimulatorCall { (SimulatorInterface.setTabletMode, ["tabletMode": true]) }
        var result: String { "tablet mode is on" }
    }

    struct Laptop: Simulation {
        static let configuration = subcommand(
            "Unfold the device to a laptop: tablet mode is off", note: noHinge, example: "laptop")

        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        var call: SimulatorCall { (SimulatorInterface.setTabletMode, ["tabletMode": false]) }
        var result: String { "tablet mode is off" }
    }

    struct Fold: Simulation {
        static let configuration = subcommand(
            "Fold the device to a lid angle",
            note: """
                Until the first such command, the device has no hinge sensor. The switch of 'tablet' and 'laptop' has \
                priority.
                """,
            example: "fold 270", usage: "fold <angle>")

        // A string, so that a negative number is not parsed as an option.
        @Argument(
            parsing: .allUnrecognized,
            help: ArgumentHelp("Lid angle, 0 (shut) to 360 (folded back)", valueName: "angle"))
        var angle: [String] = []
        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        var call: SimulatorCall {
            get throws {
                let angle = try NumberRange(SimulatorInterface.angles).parse(angle, of: "angle", count: 1)
                return (SimulatorInterface.setLidAngle, ["angle": .real(angle[0])])
            }
        }
        var result: String { "folding to a lid angle of \(angle[0]) degrees" }
    }

    private static let noHinge = "Until the first such command, the device has no switch in its hinge."
}

// MARK: Other sensors

extension Simulate {
    struct Light: Simulation {
        static let configuration = subcommand(
            "Set the ambient light",
            note: "Before the first such command, the light increases by 1 lux per reading.", example: "light 300",
            usage: "light <lux>")

        // A string, so that a negative number is not parsed as an option.
        @Argument(
            parsing: .allUnrecognized,
            help: ArgumentHelp("Light level, \(SimulatorInterface.lightLevels.words)", valueName: "lux"))
        var level: [String] = []
        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        var call: SimulatorCall {
            get throws {
                let level = try NumberRange(SimulatorInterface.lightLevels).parse(level, of: "lux", count: 1)
                return (SimulatorInterface.setLight, ["level": .real(level[0])])
            }
        }
        var result: String { "the light is \(level[0]) lux" }
    }

    struct Proximity: Simulation {
        static let distances = WordList(["near", "far"])
        static let configuration = subcommand("Bring an object close to the screen, or away", example: "proximity near")

        @Argument(
            help: ArgumentHelp("Distance of the object", discussion: distances.help),
            completion: .list(distances.words), transform: distances.parse)
        var distance: String
        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        var call: SimulatorCall { (SimulatorInterface.setProximity, ["near": .bool(distance == "near")]) }
        var result: String { "an object is \(distance)" }
    }

    struct Compass: Simulation {
        static let configuration = subcommand(
            "Set the heading of the device",
            note: "Until the first such command, each reading is 10 degrees further than the last one.",
            example: "compass 90", usage: "compass <degrees>")

        // A string, so that a negative number is not parsed as an option.
        @Argument(
            parsing: .allUnrecognized,
            help: ArgumentHelp("Heading clockwise from north, \(SimulatorInterface.angles.words)", valueName: "degrees")
        )
        var heading: [String] = []
        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        var call: SimulatorCall {
            get throws {
                let heading = try NumberRange(SimulatorInterface.angles).parse(heading, of: "degrees", count: 1)
                return (SimulatorInterface.setHeading, ["heading": .real(heading[0])])
            }
        }
        var result: String { "the heading is \(heading[0]) degrees" }
    }
}
