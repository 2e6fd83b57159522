// SPDX-License-Identifier: Apache-2.0

/// Puts the events of a compositor into the order that ``DisplayServer`` specifies: outputs once per change, and for each
/// configuration one result, after the outputs that it led to.
///
/// A value without I/O. Compositors report the new outputs before or after they accept a configuration, one by one or all
/// together: the reporter waits until the outputs have the requested transforms and positions.
struct OutputReporter {
    enum Step: Hashable {
        case deliver(DisplayEvent)
        /// Call ``synchronized()`` once the compositor has handled all requests.
        case synchronize
        /// Call ``timedOut(_:)`` after this many seconds.
        case startTimer(Double)
        case stopTimer
    }

    /// How long to wait for the new transforms after a configuration was accepted, in seconds: a compositor reports them
    /// with its next frame, and a slow panel takes hundreds of milliseconds to change its mode.
    static let transformTimeout = 1.0
    /// How long to wait for the new positions, in seconds. Shorter: a compositor may choose other positions.
    static let positionTimeout = 0.1

    /// The last reported outputs; nil before the first.
    private(set) var outputs: [Output]?
    private var request: Request?

    private struct Request {
        let outputs: [Output]
        var phase = Phase.sent

        /// `timing`: it was accepted, and the timer runs.
        enum Phase { case sent, accepted, timing }
    }

    /// The configuration whose result is not known yet.
    var requested: [Output]? { request?.outputs }

    /// The compositor has reported its outputs completely.
    mutating func reported(_ new: [Output]) -> [Step] {
        guard new != outputs else { return [] }
        outputs = new
        return [.deliver(.outputs(new))] + finishIfMet()
    }

    /// A configuration was sent. It replaces one without a result.
    mutating func sent(_ new: [Output]) -> [Step] {
        defer { request = Request(outputs: new) }
        return stopTimer
    }

    /// The compositor accepted the configuration.
    mutating func accepted() -> [Step] {
        guard request != nil else { return [] }
        request?.phase = .accepted
        return [.synchronize]
    }

    /// The compositor has handled everything that was sent until it accepted the configuration.
    mutating func synchronized() -> [Step] {
        let steps = finishIfMet()
        guard request?.phase == .accepted else { return steps }
        request?.phase = .timing
        return steps + [.startTimer(hasTransforms ? Self.positionTimeout : Self.transformTimeout)]
    }

    /// The compositor accepted the configuration and has not reported the requested outputs in time. Other positions are
    /// its decision; other transforms are a failure.
    mutating func timedOut(_ compositor: String) -> [Step] {
        guard let request, request.phase != .sent else { return [] }
        self.request = nil
        guard let wrong = request.outputs.first(where: { !hasTransform($0) }) else { return [.deliver(.applied)] }
        let actual = output(named: wrong.name).map { "\($0.transform)" } ?? "no transform"
        return [
            .deliver(
                .failed("\(compositor) accepted transform \(wrong.transform) of \(wrong.name), but reports \(actual)"))
        ]
    }

    /// The compositor refused the configuration, or it is outdated.
    mutating func refused(_ result: DisplayEvent) -> [Step] {
        guard request != nil else { return [] }
        defer { request = nil }
        return stopTimer + [.deliver(result)]
    }

    /// The outputs that have another transform than the accepted configuration gives them: reported and requested.
    var unmet: [(reported: Output, requested: Output)] {
        guard let request, request.phase != .sent else { return [] }
        return request.outputs.filter { !hasTransform($0) }.compactMap { wanted in
            output(named: wanted.name).map { ($0, wanted) }
        }
    }

    private mutating func finishIfMet() -> [Step] {
        guard let request, request.phase != .sent, hasTransforms, request.outputs.allSatisfy(hasPosition) else {
            return []
        }
        defer { self.request = nil }
        return stopTimer + [.deliver(.applied)]
    }

    private var stopTimer: [Step] { request?.phase == .timing ? [.stopTimer] : [] }

    private var hasTransforms: Bool { request?.outputs.allSatisfy(hasTransform) ?? true }

    private func hasTransform(_ wanted: Output) -> Bool {
        reported(wanted).map { $0.transform == wanted.transform } ?? true
    }

    private func hasPosition(_ wanted: Output) -> Bool {
        reported(wanted).map { $0.position == wanted.position } ?? true
    }

    /// The reported state of a requested output; nil if either is disabled, or the output was removed.
    private func reported(_ wanted: Output) -> Output? {
        output(named: wanted.name).flatMap { wanted.isEnabled && $0.isEnabled ? $0 : nil }
    }

    private func output(named name: String) -> Output? { outputs?.first { $0.name == name } }
}
