// SPDX-License-Identifier: Apache-2.0

package import Varlink

/// The interface `org.orientationd.Control`: the rotation lock, and the daemon's own affairs.
package enum ControlInterface {
    package static let name = "org.orientationd.Control"
    package static let setRotationLock = "\(name).SetRotationLock"
    package static let setLogLevel = "\(name).SetLogLevel"
    package static let status = "\(name).Status"

    /// The parsed description.
    package static func description() throws(InterfaceSyntaxError) -> InterfaceDescription {
        let text = String(decoding: PackageResources.org_orientationd_Control_varlink, as: UTF8.self)
        return try InterfaceDescription(parsing: text)
    }
}

/// The interface `org.orientationd.Simulator`: a simulated device in the hand of an app's developer.
package enum SimulatorInterface {
    package static let name = "org.orientationd.Simulator"
    package static let setPose = "\(name).SetPose"
    package static let setAcceleration = "\(name).SetAcceleration"
    package static let turn = "\(name).Turn"
    package static let shake = "\(name).Shake"
    package static let fail = "\(name).Fail"

    /// The parsed description.
    package static func description() throws(InterfaceSyntaxError) -> InterfaceDescription {
        let text = String(decoding: PackageResources.org_orientationd_Simulator_varlink, as: UTF8.self)
        return try InterfaceDescription(parsing: text)
    }
}

/// The interface `org.orientationd.Motion`: raw samples, for those who may know them.
package enum MotionInterface {
    package static let name = "org.orientationd.Motion"
    package static let monitor = "\(name).Monitor"

    /// The parsed description.
    package static func description() throws(InterfaceSyntaxError) -> InterfaceDescription {
        let text = String(decoding: PackageResources.org_orientationd_Motion_varlink, as: UTF8.self)
        return try InterfaceDescription(parsing: text)
    }
}

extension ErrorReply {
    /// This caller may not do this; `needs` says for a person who may. Each interface that is not open to everybody
    /// declares the error.
    package static func permissionDenied(_ interface: String, needs: String) -> ErrorReply {
        ErrorReply("\(interface).PermissionDenied", ["needs": .string(needs)])
    }
}
