// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// All that `watch` knows at a moment. A value: what is heard goes in, and a picture is made of it.
struct WatchedDevice: Equatable {
    /// How far a recording has been played.
    enum Playback: Equatable {
        case running
        case paused
        case over
    }

    /// The source of the states.
    enum Link: Equatable {
        case waiting
        case connected
        /// Not connected, and why; the last state is still shown.
        case lost(reason: String)
        /// Connected to a daemon that does not reply; what is shown may be out of date.
        case stale(reason: String)
        /// A recording, and how many seconds of it were played.
        case playing(name: String, seconds: SteadyNumber, Playback)
    }

    /// What is known of the samples.
    enum Motion: Equatable {
        /// None has come yet.
        case none
        case live(LiveMotion)
        /// The daemon does not show them to us: what it said, or what they would need.
        case refused(String)
    }

    private(set) var link = Link.waiting
    private(set) var state: OrientationState?
    private(set) var motion = Motion.none
    /// How the command of `--exec` fared; nil where there is none.
    var command: CommandReport?
    private(set) var settings: ClassifierSettings
    private var classifier: OrientationClassifier

    init(settings: ClassifierSettings) {
        self.settings = settings
        classifier = OrientationClassifier(settings: settings)
    }

    static func == (one: WatchedDevice, other: WatchedDevice) -> Bool {
        one.settings == other.settings && one.link == other.link && one.state == other.state
            && one.motion == other.motion
            && one.command == other.command
    }

    /// Whether the state is that of an earlier moment.
    var isOutOfDate: Bool {
        switch link {
        case .lost, .stale: true
        case .waiting, .connected, .playing: false
        }
    }

    mutating func hear(_ state: OrientationState) {
        if case .playing = link {} else { link = .connected }
        self.state = state
        // Without a sensor the last samples are no longer true.
        if state.sensor == nil || state.reason != nil { forgetMotion() }
    }

    mutating func lose(_ reason: String) {
        link = .lost(reason: reason)
        forgetMotion()
    }

    /// The daemon did not reply in time, and why; where it is not connected, that matters more.
    mutating func noteSilence(_ reason: String) {
        switch link {
        case .connected, .waiting, .stale: link = .stale(reason: reason)
        case .lost, .playing: break
        }
    }

    /// The daemon replied, or sent something; whether it had not before.
    mutating func noteReply() -> Bool {
        guard case .stale = link else { return false }
        link = state == nil ? .waiting : .connected
        return true
    }

    /// The samples are judged so.
    mutating func hear(_ settings: ClassifierSettings) {
        guard settings != self.settings else { return }
        self.settings = settings
        classifier = OrientationClassifier(settings: settings)
    }

    mutating func hear(_ samples: [Sample]) {
        // Those that were still on their way when the connection was lost are no longer true.
        if case .lost = link { return }
        guard !samples.isEmpty else { return }
        _ = noteReply()
        for sample in samples { _ = classifier.ingest(sample) }
        var live = LiveMotion()
        if case .live(let former) = motion { live = former }
        live.follow(samples, classifier)
        motion = .live(live)
    }

    /// The samples are for others only.
    mutating func refuseMotion(_ why: String) {
        motion = .refused(why)
    }

    /// A recording is the source.
    mutating func play(_ name: String, at seconds: Double, _ playback: Playback) {
        var shown = SteadyNumber(step: 1)
        if case .playing(_, let former, _) = link { shown = former }
        shown.follow(seconds)
        link = .playing(name: name, seconds: shown, playback)
    }

    private mutating func forgetMotion() {
        guard case .live = motion else { return }
        motion = .none
        classifier.restart()
    }
}
