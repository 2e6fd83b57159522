// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationClient
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
            Hold.self, Turn.self, Shake.self, Read.self, Fail.self, Tablet.self, Laptop.self, Fold.self, Light.self,
            Proximity.self, Compass.self,
        ],
        defaultSubcommand: Hold.self)

    @ParentCommand var root: OrientationCtl

    /// Returns the configuration of a subcommand from its arguments in an example.
    static func subcommand(
        _ abstract: String, note: String? = nil, example: String, usage: String? = nil
    ) -> CommandConfiguration {
        let options = "[--quiet] [--socket <path>] [--timeout <seconds>]"
        return CommandConfiguration(
            abstract: abstract, usage: usage.map { "orientationctl simulate \($0) \(options)" },
            discussion: (note.map { $0 + "\n\n" } ?? "") + "Example:\n  orientationctl simulate \(example)")
    }
}

struct SimulationOptions: ParsableArguments {
    @OptionGroup var quiet: QuietOption
    @OptionGroup var service: ServiceOptions
}

/// `--duration` of a simulated movement or failure.
struct SimulatedTime: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Duration of the movement or failure, \(SimulatorInterface.durations.words)", valueName: "seconds"),
        transform: NumberRange(SimulatorInterface.durations).parse)
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
        } catch OrientationServiceError.refused(let error) where error.serviceError == .interfaceNotFound {
            throw Failure(
                """
                simulated device: not found: the daemon uses another sensor; \
                use '\(SystemRoot.simulatingDaemon(besideSystem: SocketPath(explicit: socketPath).isSystem))'
                """)
        } catch OrientationServiceError.refused(let error) {
            guard let sensor = error.missingSensor else { throw OrientationServiceError.refused(error) }
            throw Failure("simulated device: \(sensor): not found: not in sensors= of --sensor fake:; add +\(sensor)")
        }
        try options.quiet.confirm("simulated device: \(result)")
    }
}
