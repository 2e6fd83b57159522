// SPDX-License-Identifier: Apache-2.0

internal import Posix

/// The interfaces of a service: answers `org.varlink.service` and invalid calls, and leaves other calls to its owner.
///
///     if let answer = service.answer(to: call) { try connection.send(answer) } else { … }
public struct Service: Sendable {
    /// The values that GetInfo returns.
    public struct Identity: Hashable, Sendable {
        /// The vendor.
        public var vendor: String
        /// The product name.
        public var product: String
        /// The version.
        public var version: String
        /// The URL of the documentation.
        public var url: String

        /// Creates an identity.
        public init(vendor: String, product: String, version: String, url: String) {
            self.vendor = vendor
            self.product = product
            self.version = version
            self.url = url
        }
    }

    /// The values that GetInfo returns.
    public let identity: Identity
    /// The interfaces in addition to `org.varlink.service`, in the order of GetInfo.
    public let interfaces: [InterfaceDescription]

    /// Creates a service with these interfaces in addition to `org.varlink.service`.
    public init(_ identity: Identity, interfaces: [InterfaceDescription]) {
        self.identity = identity
        self.interfaces = interfaces
    }

    /// Answers a call to `org.varlink.service`, or an invalid call with its error.
    ///
    /// Returns nil for a call of a method of another interface, whose parameters the owner checks. Protocol upgrades are
    /// not supported and return an error.
    public func answer(to call: Call) -> EncodedMessage? {
        do {
            return try check(call).map { EncodedMessage(reply: $0) }
        } catch {
            return EncodedMessage(error: error)
        }
    }

    private func check(_ call: Call) throws(ErrorReply) -> JSONObject? {
        guard call.method.utf8.contains(UInt8(ascii: ".")) else { throw .invalidParameter("method") }
        guard let interface = interface(call.interface) else {
            throw .interfaceNotFound(String(call.interface))
        }
        guard interface.methods.contains(where: call.member.hasBytes) else {
            throw .methodNotFound(call.method)
        }
        guard !call.wantsUpgrade else { throw .invalidParameter("upgrade") }
        guard interface.name.hasBytes(of: InterfaceDescription.serviceName) else { return nil }
        var call = call
        return try answerServiceCall(&call)
    }

    private func answerServiceCall(_ call: inout Call) throws(ErrorReply) -> JSONObject {
        if call.member.hasBytes(of: "GetInfo") {
            try call.refuseUnknownParameters()
            let names = [InterfaceDescription.serviceName] + interfaces.map(\.name)
            return [
                "vendor": .string(identity.vendor), "product": .string(identity.product),
                "version": .string(identity.version), "url": .string(identity.url),
                "interfaces": .array(names.map { .string($0) }),
            ]
        }
        // The service has one more method, GetInterfaceDescription.
        let name: String = try call.take("interface")
        try call.refuseUnknownParameters()
        guard let interface = interface(name[...]) else { throw .interfaceNotFound(name) }
        return ["description": .string(interface.text)]
    }

    private func interface(_ name: Substring) -> InterfaceDescription? {
        name.hasBytes(of: InterfaceDescription.serviceName)
            ? .service : interfaces.first { $0.name.hasBytes(of: name) }
    }
}

extension InterfaceDescription {
    /// The name of the interface that every service implements.
    public static let serviceName = "org.varlink.service"

    fileprivate static let service = InterfaceDescription(
        """
        # The interface that every Varlink service implements.
        interface org.varlink.service

        # Returns the identity of the service and its interfaces.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # Returns the description of an interface.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The service has no such interface.
        error InterfaceNotFound (interface: string)

        # The interface has no such method.
        error MethodNotFound (method: string)

        # The interface describes the method, but the service does not implement it.
        error MethodNotImplemented (method: string)

        # A parameter is missing, unknown, out of range or of the wrong type.
        error InvalidParameter (parameter: string)

        # The caller is not allowed to call this method.
        error PermissionDenied ()

        # The method requires the flag more.
        error ExpectedMore ()

        """)
}
