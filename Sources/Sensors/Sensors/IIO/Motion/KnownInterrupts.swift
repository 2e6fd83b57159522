// SPDX-License-Identifier: Apache-2.0

internal import Posix

/// What is known about the motion interrupts of chips: which work, which are silent, and which events were refused.
///
/// It is kept in a file until the next boot or a reload: a service that exits when it is idle would otherwise try a silent
/// interrupt after each start, and answer a turn late each time. The first line is the boot id; each other line has
/// `works` or `silent`, and a sensor.
///
/// Unchecked: only the sensor thread uses it, and there is one such thread at a time.
final class KnownInterrupts: @unchecked Sendable {
    private static let fileName = "motion-interrupts"
    /// The largest valid file, in bytes.
    private static let longest = 2_048
    /// The number of sensors: a machine has a few, and the others were removed.
    private static let capacity = 16

    enum State: Hashable {
        /// It has reported a motion.
        case works
        /// It did not report a turn.
        case silent
        /// The kernel or the chip refused the event. Not stored: a rule or a permission may be changed.
        case refused(String)

        /// The word in the file; nil if the state is not stored.
        fileprivate var word: String? {
            switch self {
            case .works: "works"
            case .silent: "silent"
            case .refused: nil
            }
        }
    }

    private let file: StateFile?
    private let bootID: String?
    private var states: [String: State] = [:]
    private var isRead = false

    /// Stores the states in a file in `folder`; nil keeps them in memory.
    init(folder: String? = nil, bootID: String? = nil) {
        file = folder.map(Self.file)
        self.bootID = bootID
    }

    private static func file(in folder: String) -> StateFile {
        StateFile(path: "\(folder)/\(fileName)", longest: longest)
    }

    /// Removes the file in `folder`; does not change the states in memory.
    static func remove(from folder: String) { file(in: folder).remove() }

    /// Returns why the event of a sensor is not used; nil if it may be.
    func failure(of sensor: String) -> String? {
        switch state(of: sensor) {
        case .silent: "it did not report a turn"
        case .refused(let reason): reason
        case .works, nil: nil
        }
    }

    func works(_ sensor: String) -> Bool { state(of: sensor) == .works }

    /// Forgets the failure of a sensor, so that its event is tried again. An interrupt that works remains known.
    func forgetFailure(of sensor: String) {
        guard let state = state(of: sensor), state != .works else { return }
        states[sensor] = nil
        if state.word != nil { writeFile() }
    }

    private func state(of sensor: String) -> State? {
        readFile()
        return states[sensor]
    }

    func set(_ state: State, of sensor: String) {
        guard self.state(of: sensor) != state else { return }
        if states.count >= Self.capacity { states.removeAll() }
        states[sensor] = state
        if state.word != nil { writeFile() }
    }

    private func writeFile() {
        guard let file, let bootID else { return }
        let lines = states.compactMap { sensor, state in state.word.map { "\($0) \(sensor)" } }.sorted()
        // A failure is ignored: the next start tries the interrupt again. Not durable: a power failure ends the boot.
        try? file.replace(with: ([bootID] + lines).map { "\($0)\n" }.joined(), isDurable: false)
    }

    private func readFile() {
        guard !isRead else { return }
        isRead = true
        // What read(2) does not return is tried again, as what no file lists.
        let lines = ((try? file?.read()) ?? "").split(separator: "\n").map(String.init)
        guard let bootID, lines.first == bootID else { return }
        for line in lines.dropFirst().prefix(Self.capacity) {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            let state = [State.works, .silent].first { $0.word == words.first }
            if let state, words.count == 2 { states[words[1]] = state }
        }
    }
}
