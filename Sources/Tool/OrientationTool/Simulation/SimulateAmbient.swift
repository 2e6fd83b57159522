// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationWire
import Varlink

extension Simulate {
    struct Light: Simulation {
        static let configuration = CommandConfiguration(
            abstract: "Set the ambient light",
            usage: "orientationctl simulate light <lux> [--quiet] [--socket <path>] [--timeout <seconds>]",
            discussion: """
                Before the first such command, the light increases by 1 lux per reading.

                Example:
                  orientationctl simulate light 300
                """)

        // A string, so that a negative number is not parsed as an option.
        @Argument(
            parsing: .allUnrecognized, help: ArgumentHelp("Light level, 0 to 200000", valueName: "lux"))
        var level: [String] = []
        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        var call: SimulatorCall {
            get throws {
                let level = try NumberRange.simulatedLight.parse(level, of: "lux", count: 1)
                return (SimulatorInterface.setLight, ["level": .real(level[0])])
            }
        }
        var result: String { "the light is \(level[0]) lux" }
    }

    struct Proximity: Simulation {
        static let distances = WordList(["near", "far"])

        static let configuration = CommandConfiguration(
            abstract: "Bring an object close to the screen, or away",
            discussion: """
                Example:
                  orientationctl simulate proximity near
                """)

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
        static let configuration = CommandConfiguration(
            abstract: "Set the heading of the device",
            usage: "orientationctl simulate compass <degrees> [--quiet] [--socket <path>] [--timeout <seconds>]",
            discussion: """
                Until the first such command, each reading is 10 degrees further than the last one.

                Example:
                  orientationctl simulate compass 90
                """)

        // A string, so that a negative number is not parsed as an option.
        @Argument(
            parsing: .allUnrecognized,
            help: ArgumentHelp("Heading clockwise from north, 0 to 360", valueName: "degrees"))
        var heading: [String] = []
        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        var call: SimulatorCall {
            get throws {
                let heading = try NumberRange.simulatedHeading.parse(heading, of: "degrees", count: 1)
                return (SimulatorInterface.setHeading, ["heading": .real(heading[0])])
            }
        }
        var result: String { "the heading is \(heading[0]) degrees" }
    }
}
