// SPDX-License-Identifier: Apache-2.0

package import Varlink

/// An interface of the daemon.
///
/// Its `.varlink` file is the contract, and is embedded in the program. Methods and interfaces are added to it; an optional
/// field only with a note in the CHANGELOG, because a typed client may reject unknown fields.
package protocol WireInterface {
    /// The interface's name.
    static var name: String { get }
    /// The bytes of its `.varlink` file.
    static var file: [UInt8] { get }
}

extension WireInterface {
    package static var description: InterfaceDescription { InterfaceDescription(String(decoding: file, as: UTF8.self)) }
}

/// The interface `org.orientationd.Orientation`, which every local user may call.
package enum OrientationInterface: WireInterface {
    package static let name = "org.orientationd.Orientation"
    package static var file: [UInt8] { PackageResources.org_orientationd_Orientation_varlink }
    /// The socket of the system's daemon.
    package static let systemSocket = "/run/orientationd/orientationd.sock"
    /// Returns the current state; starts the sensor if it is off.
    package static let get = "\(name).Get"
    /// Returns the current state, then every change.
    package static let monitor = "\(name).Monitor"
    /// The parameter of ``monitor`` that says whether the caller needs readings.
    package static let sensor = "sensor"
    package static let listSensors = "\(name).ListSensors"
    package static let listAmbientSensors = "\(name).ListAmbientSensors"
}
