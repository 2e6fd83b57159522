// SPDX-License-Identifier: Apache-2.0

import OrientationClient
import OrientationModel
import OrientationWire
import Recordings
import Varlink

/// One run of `watch`: receives from the daemon, and passes what is known to the display and to the command.
@MainActor final class WatchSession {
    /// Samples in a second: more than there are pictures, and no more than a captured sensor is asked for anyway.
    private static let rate = 25.0
    /// Before the samples are asked for again while the states still come.
    private static let motionPause = Duration.milliseconds(500)
    /// How long a first state without an orientation may take to become one, where states are counted: as long as the
    /// daemon's `Get` waits.
    private static let firstStatePatience = Duration.seconds(1)

    private let service: OrientationService
    private let remedy: (OrientationServiceError) -> String?
    private let monitor: OrientationMonitor
    private let display: any WatchDisplay
    private let count: Int?
    private let wantsMotion: Bool
    /// Draws the bands of the daemon's classifier.
    private let takesSettings: Bool
    private var device: WatchedDevice
    private var command: ChangeCommand?
    private var motion: Task<Void, Never>?
    private var seen = 0
    /// A first state that is not counted yet.
    private var held: (state: OrientationState, release: Task<Void, Never>)?
    private var failure: (any Error)?
    private let (firstState, hasBegun) = AsyncStream.makeStream(of: Void.self)
    private let (enough, isEnough) = AsyncStream.makeStream(of: Void.self)

    /// Makes a session that has not connected.
    ///
    /// - Parameters:
    ///   - service: the daemon.
    ///   - socketPath: its socket, as the user gave it.
    ///   - remedy: what the user can do about an error.
    ///   - buffering: whether states may be skipped.
    ///   - display: where the states go.
    ///   - settings: the classifier whose bands are drawn; nil for the daemon's.
    ///   - wantsMotion: follow the samples too.
    ///   - count: how many states to show; nil for all.
    init(
        service: OrientationService, socketPath: String?, remedy: @escaping (OrientationServiceError) -> String?,
        buffering: OrientationBuffering, display: any WatchDisplay, settings: ClassifierSettings? = nil,
        wantsMotion: Bool = false, count: Int? = nil
    ) {
        self.service = service
        self.remedy = remedy
        monitor = OrientationMonitor(socketPath: socketPath, buffering: buffering)
        device = WatchedDevice(settings: settings ?? .standard)
        takesSettings = settings == nil
        self.display = display
        self.wantsMotion = wantsMotion
        self.count = count
    }

    /// Runs a command at each change.
    func execute(_ text: String, debounce: Double, keepsOutput: Bool) {
        device.command = .waiting
        command = ChangeCommand(text, debounce: debounce, keepsOutput: keepsOutput) { [weak self] report in
            self?.hear(report)
        }
    }

    /// Watches until `ending` ends, until there were enough states, or for so many seconds after the first one.
    func run(until ending: AsyncStream<Void>, duration: Double? = nil) async throws {
        let (firstState, enough) = (firstState, enough)
        let result: Result<Void, any Error>
        do {
            try await withThrowingTaskGroup { group in
                group.addTask { try await self.followStates() }
                group.addTask { await self.checkReplies() }
                group.addTask { for await _ in ending {} }
                group.addTask {
                    for await _ in enough {}
                    await self.command?.finish()
                }
                if let duration {
                    group.addTask {
                        for await _ in firstState { break }
                        try await Task.sleep(for: .seconds(duration))
                    }
                }
                // The first to end ends the others.
                try await group.next()
                group.cancelAll()
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        motion?.cancel()
        held?.release.cancel()
        await command?.stop()
        if let failure { throw failure }
        try result.get()
    }

    private func followStates() async throws {
        try display.show(device, after: .command)
        for try await update in monitor.updates {
            if seen == count { continue }
            switch update {
            case .notConnected(let reason):
                device.lose(reason)
                try display.show(device, after: .lost)
            case .state(let state):
                if device.noteReply() { try display.show(device, after: .reply) }
                device.hear(state)
                followMotion()
                if !hold(state) { try take(state) }
            }
        }
    }

    /// Holds back a first state without an orientation where states are counted: the sensor is just being started.
    private func hold(_ state: OrientationState) -> Bool {
        guard count != nil, seen == 0, state.orientation == .unknown else { return false }
        if wantsMotion { try? display.show(device, after: .state) }
        let release =
            held?.release
            ?? Task {
                try? await Task.sleep(for: Self.firstStatePatience)
                guard !Task.isCancelled, seen == 0, let state = held?.state else { return }
                do {
                    try take(state)
                } catch {
                    failure = error
                    isEnough.finish()
                }
            }
        held = (state, release)
        return true
    }

    private func take(_ state: OrientationState) throws {
        held?.release.cancel()
        held = nil
        try display.show(device, after: .state)
        command?.changed(to: state)
        seen += 1
        hasBegun.yield()
        if seen == count { isEnough.finish() }
    }

    /// Without changes a daemon that hangs looks like a device that is held still.
    private func checkReplies() async {
        await service.checkReplies { error in
            if let error {
                let reason = [error.description, remedy(error)].compactMap { $0 }.joined(separator: "; ")
                guard device.link != .stale(reason: reason) else { return }
                device.noteSilence(reason)
                try? display.show(device, after: .silence)
            } else if device.noteReply() {
                try? display.show(device, after: .reply)
                if device.state != nil { followMotion() }
            }
        }
    }

    private func hear(_ report: CommandReport) {
        device.command = report
        try? display.show(device, after: .command)
    }
}

// MARK: The samples

extension WatchSession {
    /// Follows the samples while there is a connection, unless that was refused.
    private func followMotion() {
        guard wantsMotion, motion == nil else { return }
        if case .refused = device.motion { return }
        motion = Task {
            while device.link == .connected, await followMotionOnce() { try? await Task.sleep(for: Self.motionPause) }
            motion = nil
        }
    }

    /// Takes the samples of one connection; whether another may have more.
    private func followMotionOnce() async -> Bool {
        do {
            let rate: JSONObject = ["maximumRate": .real(Self.rate)]
            for try await reply in service.replies(to: MotionInterface.monitor, rate) {
                if takesSettings { try hear(origin: reply.optionalValue("origin")) }
                hear(try reply.value("samples", as: [JSONObject].self).map { try RecordedSample($0).sample })
            }
        } catch OrientationServiceError.notConnected {
            // That of the states is lost with it, and says why.
            return !Task.isCancelled
        } catch let error as OrientationServiceError {
            refuse(Self.explanation(error))
        } catch {
            refuse("The samples are not understood: \(error).")
        }
        return false
    }

    /// A daemon that does not tell how it judges, or tells what we do not know, is taken to do it as most do.
    private func hear(origin: JSONObject?) throws {
        guard let origin else { return }
        let told: String? = try origin.optionalValue("classifier")
        device.hear(told.flatMap { try? ClassifierSettings($0) } ?? .standard)
    }

    private func hear(_ samples: [Sample]) {
        device.hear(samples)
        try? display.show(device, after: .samples)
    }

    private func refuse(_ why: String) {
        device.refuseMotion(why)
        try? display.show(device, after: .samples)
    }

    /// What would show the rest.
    private static func explanation(_ error: OrientationServiceError) -> String {
        switch error {
        case .permissionDenied(let needs): return "Live vector, turn and bands need \(needs)."
        case .refused(let reply) where reply.name.hasPrefix("org.varlink.service."):
            return "This daemon shows no samples: no live vector, turn and bands."
        default: return "No live vector, turn and bands: \(error)."
        }
    }
}
