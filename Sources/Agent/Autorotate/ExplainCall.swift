// SPDX-License-Identifier: Apache-2.0

internal import OrientationClientCore
internal import OrientationWire
internal import Varlink

/// The reply to `Explain`, or why there is none.
enum ExplainOutcome: Equatable {
    case reply(JSONObject)
    case failed(String)
}

extension ServicePlace {
    /// The timeout of ``explain(byProcess:)``: the agent replies at once.
    private static let timeout = Duration.seconds(2)

    /// Calls `Explain`, for `--list`. With a process, fails if another one listens there, such as the agent of another session
    /// of this user.
    func explain(byProcess process: Int32? = nil) -> ExplainOutcome {
        do throws(OrientationServiceError) {
            let call = try ServiceCall(Call(DisplayInterface.explain), to: self, timeout: Self.timeout)
            let reply = Result { () throws(OrientationServiceError) in try call.wait() }
            // Without a connection there is no process.
            if let process, process != call.process, call.process > 0 || (try? reply.get()) != nil {
                let name = call.process > 0 ? " (process \(call.process))" : ""
                return .failed("\(socket.path) belongs to the agent of another session\(name)")
            }
            return .reply(try reply.get())
        } catch {
            return .failed(error.reason)
        }
    }
}
