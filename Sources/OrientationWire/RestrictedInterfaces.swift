// SPDX-License-Identifier: Apache-2.0

package import Varlink

/// The interface `org.orientationd.Control`: the rotation lock, and the daemon's own affairs.
package enum ControlInterface: WireInterface {
    package static let name = "org.orientationd.Control"
    package static var file: [UInt8] { PackageResources.org_orientationd_Control_varlink }
    package static let setRotationLock = "\(name).SetRotationLock"
    package static let setLogLevel = "\(name).SetLogLevel"
    package static let status = "\(name).Status"
}

/// The interface `org.orientationd.Simulator`: a simulated device in the hand of an app's developer.
package enum SimulatorInterface: WireInterface {
    package static let name = "org.orientationd.Simulator"
    package static var file: [UInt8] { PackageResources.org_orientationd_Simulator_varlink }
    package static let setPose = "\(name).SetPose"
    package static let setAcceleration = "\(name).SetAcceleration"
    package static let turn = "\(name).Turn"
    package static let shake = "\(name).Shake"
    package static let fail = "\(name).Fail"
}

/// The interface `org.orientationd.Motion`: raw samples, for those who may know them.
package enum MotionInterface: WireInterface {
    package static let name = "org.orientationd.Motion"
    package static var file: [UInt8] { PackageResources.org_orientationd_Motion_varlink }
    package static let monitor = "\(name).Monitor"
}

extension ErrorReply {
    private static let permissionDenied = ".PermissionDenied"

    /// This caller may not do this; `needs` says for a person who may. Each interface that is not open to everybody
    /// declares the error.
    package static func permissionDenied(_ interface: String, needs: String) -> ErrorReply {
        ErrorReply(interface + permissionDenied, ["needs": .string(needs)])
    }

    /// Who may do what was refused, for a person; nil where this is another error.
    package var permissionNeeds: String? {
        guard name.hasSuffix(Self.permissionDenied) else { return nil }
        return try? parameters.value("needs", as: String.self)
    }
}
