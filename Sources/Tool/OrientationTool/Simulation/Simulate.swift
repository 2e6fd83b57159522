// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationClient
import OrientationModel
import OrientationWire
import Varlink

/// `orientationctl simulate`: moves the simulated device of a daemon with `--sensor fake:`.
struct Simulate: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Move the simulated device of orientationd --sensor fake:",
        usage: """
            orientationctl simulate <word> [<value> ...] [--duration <seconds>] [--quiet] [--socket <path>] \
            [--timeout <seconds>]
            """,
        discussion: """
            Words and their values; a pose alone holds the device in it:
            \(Simulation.all.map { "  \($0.synopsis.padded(to: 20))\($0.help)" }.joined(separator: "\n"))

            Poses: \(Simulation.poses.words.joined(separator: ", ")).

            Examples:
              orientationctl simulate landscapeLeft
              orientationctl simulate turn portrait --duration 0.5
              orientationctl simulate read 0 -9.81 0
              orientationctl simulate fail gone --duration 10
              orientationctl simulate light 300
            """)

    // Strings: negative numbers must not be parsed as options, and --help is still recognized.
    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("Pose, or word with its values", valueName: "word"),
        completion: .list(Simulation.all.map(\.word) + Simulation.poses.words))
    var words: [String]

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Duration of the movement or failure, \(SimulatorInterface.durations.words)", valueName: "seconds"),
        transform: NumberRange(SimulatorInterface.durations).parse)
    var duration: Double?

    @OptionGroup var quiet: QuietOption
    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    func validate() throws { _ = try Simulation.call(words, duration) { .portrait } }

    func run() throws {
        let call = try Simulation.call(words, duration) { try calls.state().assumedNatural }
        do throws(OrientationServiceError) {
            _ = try calls.call(call.method, call.parameters)
        } catch {
            throw failure(error)
        }
        try quiet.confirm("simulated device: \(call.result)")
    }

    /// Names what the daemon's simulated device lacks.
    private func failure(_ error: OrientationServiceError) -> any Error {
        guard case .refused(let refusal) = error else { return error }
        if refusal.serviceError == .interfaceNotFound {
            return Failure(
                """
                simulated device: not found: the daemon uses another sensor; \
                use '\(SystemRoot.simulatingDaemon(besideSystem: place.socket.isSystem))'
                """)
        }
        guard let sensor = refusal.missingSensor else { return error }
        return Failure("simulated device: \(sensor): not found: not in sensors= of --sensor fake:; add +\(sensor)")
    }
}
