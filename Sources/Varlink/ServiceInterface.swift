// SPDX-License-Identifier: Apache-2.0

extension InterfaceDescription {
    /// The name of the interface that every service has.
    public static let serviceName = "org.varlink.service"

    /// `org.varlink.service`, by which a service describes itself.
    static let service = try? InterfaceDescription(parsing: serviceText)

    private static let serviceText = """
        # What every Varlink service tells about itself.
        interface org.varlink.service

        # Who made the service, and the interfaces that it has.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # The description of one of the interfaces.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # There is no such interface.
        error InterfaceNotFound (interface: string)

        # The interface has no such method.
        error MethodNotFound (method: string)

        # The interface describes the method, but this service does not do it.
        error MethodNotImplemented (method: string)

        # A parameter is missing, of the wrong type, out of range or not known.
        error InvalidParameter (parameter: string)

        # This caller may not call this method.
        error PermissionDenied ()

        # The method answers only calls that ask for more than one reply.
        error ExpectedMore ()

        """
}
