// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// All that `watch` knows at a moment. A value: what is heard goes in, and a picture is made of it.
struct WatchedDevice: Equatable {
    /// Whether there is somebody to hear from.
    enum Link: Equatable {
        case waiting
        case connected
        /// Not connected, and why; the last state is still shown.
        case lost(reason: String)
        /// A recording that is played: so many seconds of it.
        case playing(name: String, seconds: SteadyNumber, isOver: Bool)
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

    /// A recording stands for the daemon.
    mutating func play(_ name: String, at seconds: Double, isOver: Bool) {
        var shown = SteadyNumber(step: 1)
        if case .playing(_, let former, _) = link { shown = former }
        shown.follow(seconds)
        link = .playing(name: name, seconds: shown, isOver: isOver)
    }

    private mutating func forgetMotion() {
        guard case .live = motion else { return }
        motion = .none
        classifier.restart()
    }
}
