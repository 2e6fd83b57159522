// SPDX-License-Identifier: Apache-2.0

/// What a service offers: it answers for itself, and hands all other calls to its owner once they are known to be right.
public struct Service: Sendable {
    /// Who made the service.
    public struct Identity: Hashable, Sendable {
        /// Who made it.
        public var vendor: String
        /// What it is called.
        public var product: String
        /// Its version.
        public var version: String
        /// Where to read about it.
        public var url: String

        /// Makes an identity.
        public init(vendor: String, product: String, version: String, url: String) {
            self.vendor = vendor
            self.product = product
            self.version = version
            self.url = url
        }
    }

    /// Who made the service.
    public let identity: Identity
    /// The interfaces beside `org.varlink.service`, in the order in which they are listed.
    public private(set) var interfaces: [InterfaceDescription]

    /// Makes a service with these interfaces beside `org.varlink.service`.
    public init(_ identity: Identity, interfaces: [InterfaceDescription]) {
        self.identity = identity
        self.interfaces = []
        for interface in interfaces { add(interface) }
    }

    /// Adds an interface, in place of a former one of its name.
    public mutating func add(_ interface: InterfaceDescription) {
        remove(interface.name)
        interfaces.append(interface)
    }

    /// Removes the interface of this name if there is one.
    public mutating func remove(_ name: String) {
        interfaces.removeAll { $0.name == name }
    }

    /// The answer to a call that the service itself can answer: one to `org.varlink.service`, or one that is wrong. Nil
    /// means that the call is the owner's to answer: its interface is here and describes the method, and its
    /// parameters are of the types described, with no other beside them.
    ///
    /// The protocol's upgrade to another one is not offered: a call that wants it is refused.
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
        guard let method = interface.methods[String(call.member)] else { throw .methodNotFound(call.method) }
        guard !call.wantsUpgrade else { throw .invalidParameter("upgrade") }
        do {
            try interface.check(call.parameters, against: method.input)
        } catch {
            throw .invalidParameter(error.parameter)
        }
        guard interface.name == InterfaceDescription.serviceName else { return nil }
        return try answerForItself(call)
    }

    private func answerForItself(_ call: Call) throws(ErrorReply) -> JSONObject {
        switch call.member {
        case "GetInfo":
            let names = [InterfaceDescription.serviceName] + interfaces.map(\.name)
            return [
                "vendor": .string(identity.vendor), "product": .string(identity.product),
                "version": .string(identity.version), "url": .string(identity.url),
                "interfaces": .array(names.map { .string($0) }),
            ]
        case "GetInterfaceDescription":
            guard case .string(let name)? = call.parameters["interface"] else {
                throw .invalidParameter("interface")
            }
            guard let interface = interface(name[...]) else { throw .interfaceNotFound(name) }
            return ["description": .string(interface.text)]
        default:
            throw .methodNotImplemented(call.method)
        }
    }

    private func interface(_ name: Substring) -> InterfaceDescription? {
        if name == InterfaceDescription.serviceName { return .service }
        return interfaces.first { $0.name == name }
    }
}
