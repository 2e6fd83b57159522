// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
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
              orientationctl simulate tablet
              orientationctl simulate light 300
            """,
        subcommands: [
            Hold.self, Turn.self, Shake.self, Read.self, Fail.self, Tablet.self, Laptop.self, Light.self,
            Proximity.self, Compass.self,
        ],
        defaultSubcommand: Hold.self)

    @ParentCommand var root: OrientationCtl

    struct Hold: Simulation {
        static let configuration = CommandConfiguration(
            abstract: "Hold the device in a pose (the default subcommand)",
            discussion: """
                Example:
                  orientationctl simulate hold faceUp
                """)

        @Argument(help: poseHelp, completion: .list(WordList<Pose>.all.words), transform: parse)
        var pose: Pose
        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        /// Parses a pose; a mistyped subcommand also arrives here.
        @Sendable private static func parse(_ text: String) throws -> Pose {
            let commands = WordList([
                "turn", "shake", "read", "fail", "tablet", "laptop", "light", "proximity", "compass", "hold",
            ])
            // An option before the subcommand selects this one.
            if commands.words.contains(text) {
                throw ValidationError("options must follow the subcommand, as in 'simulate \(text) --quiet'")
            }
            if WordList<Pose>.all.closest(to: text) == nil, let closest = commands.closest(to: text) {
                let valid = (commands.words + WordList<Pose>.all.words).joined(separator: ", ")
                throw ValidationError("did you mean 'simulate \(closest)'? valid: \(valid)")
            }
            return try WordList<Pose>.all.parse(text)
        }

        var call: SimulatorCall { (SimulatorInterface.setPose, ["pose": .string(pose.rawValue)]) }
        var result: String { "held in \(pose.rawValue)" }
    }

    struct Turn: Simulation {
        static let configuration = CommandConfiguration(
            abstract: "Turn the device to a pose in an arc",
            discussion: """
                The turn takes 0.4 s without --duration.

                Example:
                  orientationctl simulate turn portrait --duration 0.5
                """)

        @Argument(help: poseHelp, completion: .list(WordList<Pose>.all.words), transform: WordList<Pose>.all.parse)
        var pose: Pose
        @OptionGroup var time: SimulatedTime
        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        var call: SimulatorCall { (SimulatorInterface.turn, time.added(to: ["to": .string(pose.rawValue)])) }
        var result: String { "turning to \(pose.rawValue)" }
    }

    struct Shake: Simulation {
        static let configuration = CommandConfiguration(
            abstract: "Shake the device in its pose",
            discussion: """
                Shaking takes 1 s without --duration.

                Example:
                  orientationctl simulate shake --duration 2
                """)

        @OptionGroup var time: SimulatedTime
        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        var call: SimulatorCall { (SimulatorInterface.shake, time.added(to: [:])) }
        var result: String { "shaking" }
    }

    struct Read: Simulation {
        static let configuration = CommandConfiguration(
            abstract: "Set the reading of the accelerometer",
            discussion: """
                Example:
                  orientationctl simulate read 0 -9.81 0
                """)

        // Strings, so that negative numbers are not parsed as options, and --help is still recognized.
        @Argument(
            parsing: .allUnrecognized,
            help: ArgumentHelp("Components in m/s², -1000 to 1000", valueName: "x y z"))
        var components: [String]
        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        var call: SimulatorCall {
            get throws {
                let vector = try NumberRange.simulatedReading.parse(components, of: "x y z", count: 3)
                return (
                    SimulatorInterface.setAcceleration,
                    ["x": .real(vector[0]), "y": .real(vector[1]), "z": .real(vector[2])]
                )
            }
        }
        var result: String { "reading \(components.joined(separator: ", ")) m/s²" }
    }

    struct Fail: Simulation {
        static let kinds = WordList(["failed", "gone", "silent"])

        static let configuration = CommandConfiguration(
            abstract: "Make the sensors fail for some time",
            discussion: """
                All sensors of the device fail, including light, proximity and compass. The failure lasts 2 s without --duration; \
                --duration 0 ends one.

                Example:
                  orientationctl simulate fail gone --duration 10
                """)

        @Argument(
            help: ArgumentHelp("Kind of failure (default: failed)", discussion: kinds.help),
            completion: .list(kinds.words), transform: kinds.parse)
        var kind: String = "failed"
        @OptionGroup var time: SimulatedTime
        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        var call: SimulatorCall { (SimulatorInterface.fail, time.added(to: ["kind": .string(kind)])) }
        var result: String { "all sensors fail, as requested: \(kind)" }
    }

    struct Tablet: Simulation {
        static let configuration = hinge("tablet", "Fold the device to a tablet: tablet mode is on")

        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        var call: SimulatorCall { tabletMode(true) }
        var result: String { "tablet mode is on" }
    }

    struct Laptop: Simulation {
        static let configuration = hinge("laptop", "Unfold the device to a laptop: tablet mode is off")

        @OptionGroup var options: SimulationOptions
        @ParentCommand var simulate: Simulate

        var call: SimulatorCall { tabletMode(false) }
        var result: String { "tablet mode is off" }
    }

    private static func hinge(_ name: String, _ abstract: String) -> CommandConfiguration {
        CommandConfiguration(
            commandName: name, abstract: abstract,
            discussion: """
                Until the first such command, the device has no switch in its hinge.

                Example:
                  orientationctl simulate \(name)
                """)
    }

    private static func tabletMode(_ isOn: Bool) -> SimulatorCall {
        (SimulatorInterface.setTabletMode, ["tabletMode": .bool(isOn)])
    }
}

private let poseHelp = ArgumentHelp("Pose of the device", discussion: WordList<Pose>.all.help)

struct SimulationOptions: ParsableArguments {
    @OptionGroup var quiet: QuietOption
    @OptionGroup var service: ServiceOptions
}

/// `--duration` of a simulated movement or failure.
struct SimulatedTime: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Duration of the movement or failure, 0 to 3600", valueName: "seconds"),
        transform: NumberRange.simulatedTime.parse)
    var duration: Double?

    /// Returns the parameters with the duration, if there is one.
    func added(to parameters: JSONObject) -> JSONObject {
        var parameters = parameters
        parameters["duration"] = duration.map { .real($0) }
        return parameters
    }
}

/// A call of the simulator: a method and its parameters.
typealias SimulatorCall = (method: String, parameters: JSONObject)

/// A subcommand of `simulate`, which makes one call.
protocol Simulation: DaemonCommand {
    var simulate: Simulate { get }
    var options: SimulationOptions { get }
    var call: SimulatorCall { get throws }
    /// The new state of the device, for the confirmation.
    var result: String { get }
}

extension Simulation {
    var root: OrientationCtl { simulate.root }
    var service: ServiceOptions { options.service }

    func validate() throws { _ = try call }

    func run() async throws {
        do {
            let (method, parameters) = try call
            _ = try await daemon.call(method, parameters)
        } catch OrientationServiceError.refused(let error) where error.name == "org.varlink.service.InterfaceNotFound" {
            throw Failure(
                "simulated device: not found: the daemon uses another sensor; use 'orientationd --sensor fake:'")
        } catch OrientationServiceError.refused(let error) {
            guard let sensor = error.missingSensor else { throw OrientationServiceError.refused(error) }
            throw Failure(
                "simulated device: \(sensor): not found: not in sensors= of --sensor fake:; add +\(sensor)")
        }
        try options.quiet.confirm("simulated device: \(result)")
    }
}
