// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Calibration
import OrientationClient
import OrientationModel
import OrientationWire
import Varlink

/// `orientationctl simulate`: moves the simulated device of a daemon with `--sensor fake:`.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Move the simulated device of orientationd --sensor fake:",
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
            abstract: "Hold it in a pose, at once; `hold` can be omitted.",
            discussion: """
                Example:
                  orientationctl simulate hold faceUp
                """)
        @Argument(help: poseHelp, completion: .list(WordList.poses.words), transform: parse)
        var pose: Pose
        @OptionGroup var silence: QuietOption
        @ParentCommand var simulate: Simulate
        @OptionGroup var service: ServiceOptions

        /// Here a mistyped subcommand is taken for a pose.
        @Sendable private static func parse(_ text: String) throws -> Pose {
            let commands = WordList(["turn", "shake", "read", "fail", "hold"])
            if WordList.poses.closest(to: text) == nil, let meant = commands.closest(to: text) {
                throw ValidationError(
                    "did you mean 'simulate \(meant)'? valid: \((commands.words + WordList.poses.words).joined(separator: ", "))"
                )
            }
            return try Pose.parse(text)
        }

        var call: (method: String, parameters: JSONObject) {
            (SimulatorInterface.setPose, ["pose": .string(pose.rawValue)])
        }
        var deed: String { "held in \(pose.rawValue)" }
    }

    /// `simulate turn portrait --duration 0.5`
    struct Turn: Simulation {
        static let configuration = CommandConfiguration(
            abstract: "Turn it to a pose, as an arm does.",
            discussion: """
                Example:
                  orientationctl simulate turn portrait --duration 0.5
                """)
        @Argument(help: poseHelp, completion: .list(WordList.poses.words), transform: Pose.parse)
        var pose: Pose
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("How long the turn takes, 0 to 3600; 0.4 without it.", valueName: "seconds"),
            transform: NumberRange.simulatedTime.parse)
        var duration: Double?
        @OptionGroup var silence: QuietOption
        @ParentCommand var simulate: Simulate
        @OptionGroup var service: ServiceOptions

        var call: (method: String, parameters: JSONObject) {
            (SimulatorInterface.turn, (["to": .string(pose.rawValue)] as JSONObject).lasting(duration))
        }
        var deed: String { "turning to \(pose.rawValue)" }
    }

    /// `simulate shake`
    struct Shake: Simulation {
        static let configuration = CommandConfiguration(
            abstract: "Shake it in its place.",
            discussion: """
                Example:
                  orientationctl simulate shake --duration 2
                """)
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("For how long, 0 to 3600; 1 without it.", valueName: "seconds"),
            transform: NumberRange.simulatedTime.parse)
        var duration: Double?
        @OptionGroup var silence: QuietOption
        @ParentCommand var simulate: Simulate
        @OptionGroup var service: ServiceOptions

        var call: (method: String, parameters: JSONObject) {
            (SimulatorInterface.shake, JSONObject().lasting(duration))
        }
        var deed: String { "shaking" }
    }

    /// `simulate read 0 9.81 0`
    struct Read: Simulation {
        static let configuration = CommandConfiguration(
            abstract: "Let its sensor read this vector.",
            discussion: """
                Example:
                  orientationctl simulate read 0 -9.81 0
                """)
        // Text, so that --help is not taken for a number; negative numbers are not taken for options.
        @Argument(
            parsing: .allUnrecognized,
            help: ArgumentHelp("Three components in m/s², each from -1000 to 1000.", valueName: "x y z"))
        var components: [String]
        @OptionGroup var silence: QuietOption
        @ParentCommand var simulate: Simulate
        @OptionGroup var service: ServiceOptions

        private var vector: [Double] {
            get throws {
                try components.map { text in
                    do {
                        return try NumberRange.simulatedReading.parse(text)
                    } catch let error as ValidationError {
                        let isOption = text.hasPrefix("-") && Double(text) == nil
                        throw ValidationError(
                            isOption ? "unknown option '\(text)'" : "the value '\(text)' is invalid: \(error.message)")
                    }
                }
            }
        }

        func validate() throws {
            guard try vector.count == 3 else { throw ValidationError("three numbers are expected, in m/s²") }
        }

        var call: (method: String, parameters: JSONObject) {
            get throws {
                let vector = try vector
                return (
                    SimulatorInterface.setAcceleration,
                    ["x": .real(vector[0]), "y": .real(vector[1]), "z": .real(vector[2])]
                )
            }
        }
        var deed: String { "its sensor reads \(components.joined(separator: ", ")) m/s²" }
    }

    /// `simulate fail`
    struct Fail: Simulation {
        static let kinds = WordList(["failed", "gone", "silent"])

        static let configuration = CommandConfiguration(
            abstract: "Let its sensor fail, vanish or fall silent.",
            discussion: """
                Example:
                  orientationctl simulate fail gone --duration 10
                """)
        @Argument(
            help: ArgumentHelp("The kind of failure; failed without it.", discussion: listed(kinds)),
            completion: .list(kinds.words), transform: kinds.parse)
        var kind: String = "failed"
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("For how long, 0 to 3600; 2 without it.", valueName: "seconds"),
            transform: NumberRange.simulatedTime.parse)
        var duration: Double?
        @OptionGroup var silence: QuietOption
        @ParentCommand var simulate: Simulate
        @OptionGroup var service: ServiceOptions

        var call: (method: String, parameters: JSONObject) {
            (SimulatorInterface.fail, (["kind": .string(kind)] as JSONObject).lasting(duration))
        }
        var deed: String { "its sensor fails: \(kind)" }
    }
}

private let poseHelp = ArgumentHelp("The pose.", discussion: listed(.poses))

/// One thing to do with the simulated device.
protocol Simulation: AsksDaemon {
    var simulate: Simulate { get }
    var silence: QuietOption { get }
    /// The method of the simulator, and its parameters.
    var call: (method: String, parameters: JSONObject) { get throws }
    /// What the device does now, for the user.
    var deed: String { get }
}

extension Simulation {
    var root: OrientationCtl { simulate.root }

    func run() async throws {
        do {
            let (method, parameters) = try call
            _ = try await daemon.call(method, parameters)
        } catch OrientationServiceError.refused(let error) where error.name == "org.varlink.service.InterfaceNotFound" {
            throw Failure("this daemon has no simulated device; start one with 'orientationd --sensor fake:'")
        }
        try silence.confirm("simulated device: \(deed)")
    }
}

extension JSONObject {
    fileprivate func lasting(_ duration: Double?) -> JSONObject {
        var parameters = self
        parameters["duration"] = duration.map { .real($0) }
        return parameters
    }
}
