// SPDX-License-Identifier: Apache-2.0

internal import Varlink

/// Answers the calls of one interface.
protocol InterfaceCalls: AnyObject {
    /// The interface's name.
    var interface: String { get }
    /// What a client must be for this call; nil where everybody may make it.
    func requirement(for call: Call) -> Authority.Requirement?
    /// Answers a call that is known to be right and allowed, now or later.
    func answer(_ call: Call, _ session: ClientSession)
    /// A session has been written to, and may have room for more.
    func hasWritten(to session: ClientSession)
    /// A client has gone.
    func forget(_ session: ClientSession)
}

extension InterfaceCalls {
    func hasWritten(to session: ClientSession) {}
    func forget(_ session: ClientSession) {}
}
