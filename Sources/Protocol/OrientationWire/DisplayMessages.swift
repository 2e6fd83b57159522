// SPDX-License-Identifier: Apache-2.0

package import OrientationModel
package import Varlink

/// What keeps the display from following the device, in replies of ``DisplayInterface``.
package enum ObstacleKind: String, Sendable {
    case output, never, laptop, failure, noState, lock, otherProgram

    /// Whether the agent rotates nothing, whichever app is in front.
    package var isForEveryApp: Bool { [.output, .never, .laptop].contains(self) }

    /// The kind in a reply; nil if nothing keeps the display, and for the kinds of a later version.
    package init?(in reply: JSONObject) {
        guard case .object(let obstacle)? = reply["obstacle"], case .string(let kind)? = obstacle["kind"] else {
            return nil
        }
        self.init(rawValue: kind)
    }
}

/// The interface `org.orientationd.Display` of the session agent, and of the daemon for desktops that rotate themselves.
package enum DisplayInterface: WireInterface {
    package static let name = "org.orientationd.Display"
    package static var file: [UInt8] { PackageResources.org_orientationd_Display_varlink }
    /// Restricts the display to some orientations while the connection lasts.
    package static let hold = "\(name).Hold"
    /// Returns why the display has its orientation.
    package static let explain = "\(name).Explain"

    /// The maximum length of an app ID, in bytes.
    package static let maximumAppIDLength = 255

    /// Whether `Hold` accepts an app ID: not empty, not too long, without control characters.
    package static func isValid(appID: String) -> Bool {
        !appID.isEmpty && appID.utf8.count <= maximumAppIDLength
            && appID.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// The path of the socket in a runtime directory, such as `/run/user/1000`.
    package static func socket(in runtimeDirectory: String) -> String { folder(in: runtimeDirectory) + "/socket" }

    /// The path of the agent's folder in a runtime directory.
    package static func folder(in runtimeDirectory: String) -> String { runtimeDirectory + "/orientation-autorotate" }
}

package struct HoldParameters: Hashable, Sendable {
    package let appID: String?
    /// Not empty.
    package let supported: OrientationList
    /// A word for at least one of ``supported``.
    package let preferred: OrientationWord?
    package let isLocked: Bool

    package init(taking call: inout Call) throws(ErrorReply) {
        appID = try call.takeOptional("appId")
        let words: [String] = try call.take("supported")
        let preferred: String? = try call.takeOptional("preferred")
        isLocked = try call.takeOptional("locked") ?? false
        if let appID, !DisplayInterface.isValid(appID: appID) { throw .invalidParameter("appId") }
        guard !words.isEmpty, let list = try? OrientationList(words) else { throw .invalidParameter("supported") }
        supported = list
        // An unknown word is refused below.
        self.preferred = preferred.flatMap { try? OrientationList([$0]) }?.words.first
        if preferred != nil, PanelShape.allCases.allSatisfy({ list.first(self.preferred, natural: $0.natural) == nil })
        {
            throw .invalidParameter("preferred")
        }
    }
}
