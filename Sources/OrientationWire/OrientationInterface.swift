// SPDX-License-Identifier: Apache-2.0

package import Varlink

/// One of the daemon's interfaces.
///
/// Its `.varlink` file is the contract, and is part of the program. It grows only by new methods and new interfaces:
/// a typed client of somebody else may reject a field that it does not know.
package protocol WireInterface {
    /// The interface's name.
    static var name: String { get }
    /// The bytes of its `.varlink` file.
    static var file: [UInt8] { get }
}

extension WireInterface {
    /// The parsed description, which holds the text that the service hands out.
    ///
    /// - Throws: ``InterfaceSyntaxError``, if the file in the source is wrong.
    package static func description() throws(InterfaceSyntaxError) -> InterfaceDescription {
        try InterfaceDescription(parsing: String(decoding: file, as: UTF8.self))
    }
}

/// The interface `org.orientationd.Orientation`, which is open to every local user.
package enum OrientationInterface: WireInterface {
    package static let name = "org.orientationd.Orientation"
    package static var file: [UInt8] { PackageResources.org_orientationd_Orientation_varlink }
    /// The state now; starts the sensor if it is off.
    package static let get = "\(name).Get"
    /// The state now, then every change.
    package static let monitor = "\(name).Monitor"
    /// The sensors that were found.
    package static let listSensors = "\(name).ListSensors"
}
