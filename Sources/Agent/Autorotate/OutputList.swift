// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import Glibc
internal import OrientationClientCore
internal import OrientationModel
internal import OrientationRules
internal import Posix
package import Systemd
internal import Varlink

/// Prints the outputs of the session for `--list`.
package final class OutputList {
    private let options: Options
    private let loop: EventLoop
    private let queue = EventQueue<DisplayEvent>()
    private var display: (any DisplayServer)?
    /// The desktop that rotates the display itself; its outputs are not read.
    private let rotatedBy: String?
    private var failure: String?

    /// Opens the display server of the session.
    ///
    /// - Throws: `DisplayServerError` or `SystemError`: each is a message.
    package init(_ options: Options, log: Logger) throws {
        self.options = options
        loop = try EventLoop()
        do throws(DisplayServerError) {
            display = try DisplaySession(environment: Environment.values, loop: loop, log: log)
                .openServer { [queue] in queue.append($0) }
            rotatedBy = nil
        } catch {
            guard let desktop = error.desktop else { throw error }
            rotatedBy = desktop
        }
    }

    /// Waits for the outputs and prints them; returns the exit status.
    ///
    /// - Throws: `DisplayServerError`, also if there is no output of the name in `--output`.
    package func run() throws -> Int32 {
        if rotatedBy != nil {
            try write([])
            return EXIT_SUCCESS
        }
        let status = try loop.run(afterEach: handleEvents)
        if let failure { throw DisplayServerError(failure) }
        return status
    }

    private func handleEvents() {
        while let event = queue.popFirst() { handle(event) }
    }

    private func handle(_ event: DisplayEvent) {
        switch event {
        case .outputs(let outputs):
            do {
                let report = try write(outputs)
                if options.settings.output != nil, report.chosen == nil { return fail(report.reason) }
                loop.exit(status: EXIT_SUCCESS)
            } catch {
                fail("\(error)")
            }
        case .ended(let reason):
            fail("display server: \(reason)")
        default: break
        }
    }

    @discardableResult
    private func write(_ outputs: [Output]) throws -> SessionOutputs {
        let agent = RunningAgent.find()
        let report = SessionOutputs(
            server: display?.name ?? rotatedBy, rotatedBy: rotatedBy, agent: agent, option: options.settings.output,
            outputs: outputs, explain: explain(agent))
        try StandardOutput.write(options.printsJSON ? "\(report.json)\n" : report.text)
        return report
    }

    /// The reply of the agent; without an agent, the daemon's, if a program of this user holds an orientation.
    private func explain(_ agent: RunningAgent?) -> ExplainOutcome? {
        if let agent { return ServicePlace.agent(runtimeDirectory: nil).explain(byProcess: agent.process) }
        let daemon = ServicePlace.daemon(socketPath: options.socket).explain()
        guard case .reply(let reply) = daemon, case .array(let holds)? = reply["answers"] else { return nil }
        return holds.isEmpty ? nil : daemon
    }

    private func fail(_ reason: String) {
        failure = reason
        loop.exit(status: EXIT_FAILURE)
    }
}

/// The outputs of a session, which of them rotates, and what rotates it.
struct SessionOutputs {
    let server: String?
    /// The desktop that rotates the display itself.
    let rotatedBy: String?
    let agent: RunningAgent?
    /// The name in `--output`, if any.
    let option: String?
    let outputs: [Output]
    /// The reply of the agent to `Explain`, or why there is none; nil without an agent.
    var explain: ExplainOutcome?

    /// The output that rotates: without the option `--output` of this program, that of the running agent chooses it.
    var chosen: InternalOutput? { InternalOutput(among: outputs, option: chosenOption) }

    private var chosenOption: String? { option ?? agent?.settings.output }
    private var explanation: JSONObject? { if case .reply(let reply)? = explain { reply } else { nil } }
    private var explanationError: String? { if case .failed(let reason)? = explain { reason } else { nil } }

    /// Why the output was chosen, or why none was.
    var reason: String {
        chosen?.why ?? AgentMessage.noOutput(option: chosenOption, outputs: outputs.map(\.name)).description
    }

    /// Why the chosen output does not rotate with the device; nil if it does, as far as is known.
    private func obstacle(_ output: Output) -> String? {
        if output.transform.isFlipped { return "mirrored (transform \(output.transform))" }
        guard let agent else { return "orientation-autorotate is not running" }
        if agent.settings.isDryRun { return "--dry-run" }
        if agent.settings.when == .never { return "--when never" }
        if let failure = explanation?.text("failure") { return failure }
        // An agent of another version may send another type.
        return (try? explanation?.optionalValue("obstacle", as: JSONObject.self))?.text("reason")
    }

    /// The report in lines, without control characters: names are from monitors, apps and the command lines of processes.
    var text: String {
        var lines = ["display server  \(server ?? "unknown")", "turned by       \(rotator)"]
        if chosen == nil, rotatedBy == nil { lines.append("output          \(reason)") }
        for output in outputs {
            lines.append("")
            lines.append(output.name + (output.label.map { "  \($0)" } ?? ""))
            if let chosen, chosen.name == output.name {
                lines.append(
                    obstacle(output).map { "  does not follow the device: \($0)" }
                        ?? "  follows the device: \(reason)")
            }
            guard output.isEnabled else {
                lines.append("  disabled")
                continue
            }
            if let mode = output.mode {
                lines.append("  mode      \(mode.width)x\(mode.height), scale \(output.scale)")
            }
            lines.append("  position  \(output.position.x),\(output.position.y)")
            lines.append("  rotation  \(output.transform.text)")
        }
        return (lines + appLines).map { $0.replacingControls() + "\n" }.joined()
    }

    /// The app in front, its orientations, and why the display has its own.
    private var appLines: [String] {
        if let explanationError {
            return ["", "app in front    unknown: orientation-autorotate: \(explanationError)"]
        }
        guard let explanation, let sentence = explanation.text("sentence") else { return [] }
        var lines = [""]
        if let reason = explanation.text("appsUnknown") {
            lines.append("app in front    unknown: \(reason)")
        } else if case .object(let app)? = explanation["app"] {
            let file = app.text("desktopFile").map { " (\($0))" } ?? ""
            lines.append("app in front    \(app.text("appId") ?? "without an app ID")\(file)")
            lines.append("  declares      \(app.orientations("declared") ?? noDeclaration(app))")
        } else {
            lines.append("app in front    none")
        }
        if let name = explanation.text("orientation") { lines.append("orientation     \(Self.words([name]))") }
        if let allowed = explanation.orientations("allowed") {
            // Without answers nothing was decided, as in laptop mode.
            if !allowed.isEmpty {
                lines.append("  allowed       \(allowed)")
            } else if case .array(let answers)? = explanation["answers"], !answers.isEmpty {
                lines.append("  allowed       none")
            }
        }
        return lines + [sentence]
    }

    /// Returns the words for UIKit's names in a reply.
    fileprivate static func words(_ names: [String]) -> String {
        OrientationList(edges: names.compactMap { InterfaceOrientation($0)?.edge }).description
    }

    private func noDeclaration(_ app: JSONObject) -> String {
        "nothing that applies" + (app.text("undeclared").map { ": \($0)" } ?? "")
    }

    private var rotator: String {
        if let rotatedBy { return "\(rotatedBy) itself" }
        guard let agent else { return "no program" }
        return agent.rotates ? agent.description : "no program: \(agent.description) does not rotate"
    }

    var json: JSONValue {
        let output = outputs.first { $0.name == chosen?.name }
        let obstacle = output.flatMap(obstacle).map { JSONValue.string($0) } ?? .null
        let own: JSONValue = agent?.rotates == true ? "orientation-autorotate" : .null
        return .object([
            "server": server.map { .string($0) } ?? .null,
            "rotatedBy": rotatedBy.map { .string($0) } ?? own,
            "agent": agent.map { .integer(Int64($0.process)) } ?? .null,
            "agentOptions": agent?.arguments.map { .array($0.map { .string($0) }) } ?? .null,
            "agentRotates": .bool(agent?.rotates ?? false),
            "output": chosen.map { .string($0.name) } ?? .null,
            "reason": .string(reason),
            "obstacle": obstacle,
            "outputs": .array(outputs.map(\.json)),
            "explanation": explanation.map { .object($0) } ?? .null,
            "explanationError": explanationError.map { .string($0) } ?? .null,
        ])
    }
}

extension JSONObject {
    /// Returns a text of the agent, for messages.
    fileprivate func text(_ key: String) -> String? {
        guard case .string(let text)? = self[key] else { return nil }
        return text
    }

    /// Returns a list of orientations, for messages; nil for another type of another version.
    fileprivate func orientations(_ key: String) -> String? {
        (try? optionalValue(key, as: [String].self)).map(SessionOutputs.words)
    }
}

extension Output {
    fileprivate var json: JSONValue {
        .object([
            "name": .string(name), "label": label.map { .string($0) } ?? .null, "enabled": .bool(isEnabled),
            "width": mode.map { .integer(Int64($0.width)) } ?? .null,
            "height": mode.map { .integer(Int64($0.height)) } ?? .null,
            "scale": .real(scale), "x": .integer(Int64(position.x)), "y": .integer(Int64(position.y)),
            "transform": .string(transform.description), "rotation": .integer(Int64(transform.rotation)),
        ])
    }
}
