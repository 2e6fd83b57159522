// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Calibration
import OrientationClient
import OrientationModel
import OrientationWire
import Varlink

/// `orientationctl simulate`: takes the simulated device of a daemon with `--sensor fake:` in hand.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Hold, turn and shake the simulated device of a daemon that runs with --sensor fake:",
        discussion: """
            Examples:
              orientationctl simulate landscapeLeft
              orientationctl simulate turn portrait --duration 0.5
              orientationctl simulate read 0 9.81 0
              orientationctl simulate fail gone --duration 10
            """,
        subcommands: [Hold.self, Turn.self, Shake.self, Read.self, Fail.self], defaultSubcommand: Hold.self)

    @ParentCommand var root: OrientationCtl

    /// `simulate landscapeLeft`
    struct Hold: Simulation {
        static let configuration = CommandConfiguration(
            abstract: "Hold it in a pose, at once; `hold` can be left out.",
            discussion: """
                Example:
                  orientationctl simulate hold faceUp
                """)
        @Argument(help: "One of the four edges up, faceUp or faceDown.") var pose: Pose
        @ParentCommand var simulate: Simulate
        @OptionGroup var service: ServiceOptions

        var call: (method: String, parameters: JSONObject) {
            (SimulatorInterface.setPose, ["pose": .string(pose.rawValue)])
        }
    }

    /// `simulate turn portrait --duration 0.5`
    struct Turn: Simulation {
        static let configuration = CommandConfiguration(
            abstract: "Turn it to a pose, as an arm does.",
            discussion: """
                Example:
                  orientationctl simulate turn portrait --duration 0.5
                """)
        @Argument(help: "One of the four edges up, faceUp or faceDown.") var pose: Pose
        @Option(help: ArgumentHelp("How long the turn takes.", valueName: "seconds")) var duration: Double?
        @ParentCommand var simulate: Simulate
        @OptionGroup var service: ServiceOptions

        var call: (method: String, parameters: JSONObject) {
            (SimulatorInterface.turn, (["to": .string(pose.rawValue)] as JSONObject).lasting(duration))
        }
    }

    /// `simulate shake`
    struct Shake: Simulation {
        static let configuration = CommandConfiguration(
            abstract: "Shake it where it is.",
            discussion: """
                Example:
                  orientationctl simulate shake --duration 2
                """)
        @Option(help: ArgumentHelp("For how long.", valueName: "seconds")) var duration: Double?
        @ParentCommand var simulate: Simulate
        @OptionGroup var service: ServiceOptions

        var call: (method: String, parameters: JSONObject) {
            (SimulatorInterface.shake, JSONObject().lasting(duration))
        }
    }

    /// `simulate read 0 9.81 0`
    struct Read: Simulation {
        static let configuration = CommandConfiguration(
            abstract: "Let its sensor read this vector, in m/s².",
            discussion: """
                Example:
                  orientationctl simulate read 0 9.81 0
                """)
        @Argument(parsing: .allUnrecognized, help: ArgumentHelp("The three components.", valueName: "x y z"))
        var vector: [Double]
        @ParentCommand var simulate: Simulate
        @OptionGroup var service: ServiceOptions

        func validate() throws {
            guard vector.count == 3 else { throw ValidationError("three numbers are expected, in m/s²") }
        }

        var call: (method: String, parameters: JSONObject) {
            (
                SimulatorInterface.setAcceleration,
                ["x": .real(vector[0]), "y": .real(vector[1]), "z": .real(vector[2])]
            )
        }
    }

    /// `simulate fail`
    struct Fail: Simulation {
        enum Kind: String, ExpressibleByArgument, CaseIterable {
            case failed
            case gone
            case silent
        }

        static let configuration = CommandConfiguration(
            abstract: "Let its sensor fail, vanish or fall silent.",
            discussion: """
                Example:
                  orientationctl simulate fail gone --duration 10
                """)
        @Argument(help: "In which way.") var kind = Kind.failed
        @Option(help: ArgumentHelp("For how long.", valueName: "seconds")) var duration: Double?
        @ParentCommand var simulate: Simulate
        @OptionGroup var service: ServiceOptions

        var call: (method: String, parameters: JSONObject) {
            (SimulatorInterface.fail, (["kind": .string(kind.rawValue)] as JSONObject).lasting(duration))
        }
    }
}

/// One thing to do with the simulated device.
protocol Simulation: AsksDaemon {
    var simulate: Simulate { get }
    /// The method of the simulator, and what it is called with.
    var call: (method: String, parameters: JSONObject) { get }
}

extension Simulation {
    var root: OrientationCtl { simulate.root }

    func run() async throws {
        do {
            _ = try await daemon.call(call.method, call.parameters)
        } catch OrientationServiceError.refused(let error) where error.name == "org.varlink.service.InterfaceNotFound" {
            throw Failure("this daemon has no simulated device: it does not run with --sensor fake:")
        }
    }
}

/// How a simulated device can be held.
extension Pose: ExpressibleByArgument {}

extension JSONObject {
    fileprivate func lasting(_ duration: Double?) -> JSONObject {
        var parameters = self
        parameters["duration"] = duration.map { .real($0) }
        return parameters
    }
}
