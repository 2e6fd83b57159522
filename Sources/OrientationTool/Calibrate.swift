// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Calibration
import Glibc
import OrientationClient
import OrientationModel
import Varlink

/// `orientationctl calibrate`: finds how the sensor is mounted, and tells udev.
struct Calibrate: AsksDaemon {
    static let configuration = CommandConfiguration(
        abstract: "Find the sensor's mount matrix; --write installs it.",
        discussion: """
            Asks for four to six poses on the terminal, checks what it has found while you turn the device, and prints the \
            entry of udev's hardware database for this machine. For root, the daemon's user and the group orientation; \
            --write and --undo need root.

            Examples:
              sudo orientationctl calibrate --write      find it and install it
              sudo orientationctl calibrate --undo       remove it again
              orientationctl calibrate --poses 4         the four edges only
              orientationctl calibrate --from poses.rec  somebody else's machine

            To help somebody else, let them `orientationctl record poses.rec` while they hold their device in portrait, \
            landscapeLeft, portraitUpsideDown, landscapeRight, faceUp and faceDown, two seconds each.
            """)

    @Flag(help: "Install the entry, and check that the daemon uses it.")
    var write = false

    @Flag(help: "Remove the entry that --write installed.")
    var undo = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Ask for 4, 5 or 6 poses; 6 without it.",
            discussion: "4: the edges; 5: and face up; 6: and face down, which tells bias and scale.", valueName: "n"),
        completion: .list(["4", "5", "6"]), transform: NumberRange(4...6, isWhole: true).parseWhole)
    var poses: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Read one recording of all poses, each held still.", valueName: "file"),
        completion: .file())
    var from: String?

    @Option(
        name: .customLong("pose"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Read a recording of one pose; once for each of 4 to 6.", valueName: "name=file"),
        completion: .list(WordList.poses.words.map { $0 + "=" }),
        transform: RecordedPose.parse)
    var recorded: [RecordedPose] = []

    @Flag(help: "Trust the recorded poses though they make a mirrored frame.")
    var mirrored = false

    @Flag(help: "Print what was found as one JSON object.")
    var json = false

    @OptionGroup var machine: MachineOptions

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    func validate() throws {
        if mirrored, from == nil, recorded.isEmpty { throw ValidationError("--mirrored belongs to --from and --pose") }
        if from != nil, !recorded.isEmpty { throw ValidationError("give either --from or --pose") }
        if undo, write || json || mirrored || from != nil || !recorded.isEmpty {
            throw ValidationError("--undo excludes all other options")
        }
    }

    @MainActor func run() async throws {
        let work = Task { try await calibrate() }
        let interrupts = SignalWatch.endings { work.cancel() }
        defer { withExtendedLifetime(interrupts) {} }
        do {
            try await work.value
        } catch is CancellationError {
            throw Failure("interrupted; nothing was changed")
        }
    }

    private func calibrate() async throws {
        let file = CalibrationFile(machine.system)
        if write || undo { try file.checkPermission() }
        if undo { return try await remove(file) }
        let found =
            isFromRecordings ? try RecordedPoses(from, recorded).find(mirrored, machine.system) : try await ask()
        let output = TextOutput()
        // Nothing below waits for a person: from here on Ctrl-C comes too late.
        try Task.checkCancellation()
        let isWritten = write ? try await install(found, file) : false
        if json {
            output.add(json: found.json(file: isWritten ? file.path : nil).description)
        } else {
            output.add(found.entryText)
        }
        try output.flush()
        if !json, !write, !isFromRecordings { Dialogue.say(found.match == nil ? Self.elsewhere : Self.hint(file)) }
    }

    private var isFromRecordings: Bool { from != nil || !recorded.isEmpty }

    private func ask() async throws -> FoundMount {
        guard isatty(STDERR_FILENO) == 1 else {
            throw Failure(
                "calibrate asks for poses on a terminal; without one, give it recordings with --from or --pose")
        }
        guard let sensor = try await daemon.sensors().first(where: \.isChosen) else {
            throw Failure("the daemon has no accelerometer to calibrate; orientationctl sensors says why")
        }
        // A board elsewhere has no driver that is known; its devices may have the same ids as this machine's.
        let local = sensor.driver == nil ? nil : LocalSensor(id: sensor.id, in: machine.system)
        let match = local?.match.pattern
        if write, match == nil {
            throw Failure("\(sensor.id) is no device that this machine's udev knows: nothing can be installed for it")
        }
        let wizard = Wizard(sensor, samples: MotionSamples(daemon), count: poses ?? 6)
        return try await daemon.whileReplying(Task { try await wizard.run(match: match) })
    }

    /// Whether there was something to install.
    private func install(_ found: FoundMount, _ file: CalibrationFile) async throws -> Bool {
        guard let entry = found.entry, found.isOfThisMachine else {
            throw Failure("the recording is not of a sensor that this machine has: nothing can be installed for it")
        }
        guard found.isInUse != true else {
            Dialogue.say("The mount matrix in use is right as it is; nothing was written.")
            return false
        }
        try file.install(entry)
        Dialogue.say("Written to \(file.path).")
        try await TakeUp(daemon).confirm(entry)
        return true
    }

    private func remove(_ file: CalibrationFile) async throws {
        let former = try file.remove()
        Dialogue.say("Removed \(file.path).")
        try await TakeUp(daemon).confirmRemoval(of: former)
    }

    private static let elsewhere = "This machine's udev knows no such sensor: these are the properties alone."

    private static func hint(_ file: CalibrationFile) -> String {
        "To install it: sudo orientationctl calibrate --write, which keeps it in \(file.path)."
    }
}
