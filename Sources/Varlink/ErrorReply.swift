// SPDX-License-Identifier: Apache-2.0

/// A reply that says why a call failed: a qualified name and the error's parameters.
public struct ErrorReply: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error's name with its interface, for example `org.varlink.service.MethodNotFound`.
    public let name: String
    /// What the interface says about this error.
    public let parameters: JSONObject

    /// Makes an error from its qualified name and its parameters.
    public init(_ name: String, _ parameters: JSONObject = [:]) {
        self.name = name
        self.parameters = parameters
    }

    /// One line for a person: the name, and the parameters if there are any.
    public var description: String {
        parameters.isEmpty ? name : "\(name) \(parameters)"
    }
}

// The errors that every Varlink service may answer with.
extension ErrorReply {
    /// There is no such interface here.
    public static func interfaceNotFound(_ interface: String) -> ErrorReply {
        ErrorReply("org.varlink.service.InterfaceNotFound", ["interface": .string(interface)])
    }

    /// The interface has no such method.
    public static func methodNotFound(_ method: String) -> ErrorReply {
        ErrorReply("org.varlink.service.MethodNotFound", ["method": .string(method)])
    }

    /// The interface describes this method, but this service does not do it.
    public static func methodNotImplemented(_ method: String) -> ErrorReply {
        ErrorReply("org.varlink.service.MethodNotImplemented", ["method": .string(method)])
    }

    /// The parameter of this name is missing, of the wrong type, out of range or not known.
    public static func invalidParameter(_ parameter: String) -> ErrorReply {
        ErrorReply("org.varlink.service.InvalidParameter", ["parameter": .string(parameter)])
    }

    /// This caller may not call this method.
    public static let permissionDenied = ErrorReply("org.varlink.service.PermissionDenied")

    /// The method answers only calls with `more`.
    public static let expectedMore = ErrorReply("org.varlink.service.ExpectedMore")
}
