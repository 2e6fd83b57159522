// SPDX-License-Identifier: Apache-2.0

package import Varlink

/// The interface `org.orientationd.Orientation`, which is open to every local user.
///
/// Its `.varlink` file is the contract, and is part of the program. It grows only by new methods and new interfaces:
/// a typed client of somebody else may reject a field that it does not know.
package enum OrientationInterface {
    /// The interface's name.
    package static let name = "org.orientationd.Orientation"
    /// The state now; starts the sensor if it is off.
    package static let get = "\(name).Get"
    /// The state now, then every change.
    package static let monitor = "\(name).Monitor"
    /// The sensors that were found.
    package static let listSensors = "\(name).ListSensors"

    /// The parsed description, which holds the text that the service hands out.
    ///
    /// - Throws: ``InterfaceSyntaxError``, if the file in the source is wrong.
    package static func description() throws(InterfaceSyntaxError) -> InterfaceDescription {
        let text = String(decoding: PackageResources.org_orientationd_Orientation_varlink, as: UTF8.self)
        return try InterfaceDescription(parsing: text)
    }
}
