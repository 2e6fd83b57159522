// SPDX-License-Identifier: Apache-2.0

internal import Posix

/// An error reply: a qualified name and the error's parameters.
public struct ErrorReply: Error, Hashable, Sendable, CustomStringConvertible {
    /// The qualified name, for example `org.varlink.service.MethodNotFound`.
    public let name: String
    /// The parameters that the interface declares for this error.
    public let parameters: JSONObject

    /// Creates an error reply.
    public init(_ name: String, _ parameters: JSONObject = [:]) {
        self.name = name
        self.parameters = parameters
    }

    /// The name, followed by the parameters if there are any; for messages.
    public var description: String {
        parameters.isEmpty ? name : "\(name) \(parameters)"
    }
}

/// The names of the errors of `org.varlink.service`, which every service may return.
package enum ServiceError: String, CaseIterable {
    case interfaceNotFound = "org.varlink.service.InterfaceNotFound"
    case methodNotFound = "org.varlink.service.MethodNotFound"
    case methodNotImplemented = "org.varlink.service.MethodNotImplemented"
    case invalidParameter = "org.varlink.service.InvalidParameter"
    case permissionDenied = "org.varlink.service.PermissionDenied"
    case expectedMore = "org.varlink.service.ExpectedMore"
}

extension ErrorReply {
    /// The error of `org.varlink.service`; nil for other errors.
    package var serviceError: ServiceError? { ServiceError.allCases.first { $0.rawValue.hasBytes(of: name) } }

    private init(_ error: ServiceError, _ parameters: JSONObject = [:]) { self.init(error.rawValue, parameters) }

    /// The service has no such interface.
    public static func interfaceNotFound(_ interface: String) -> ErrorReply {
        ErrorReply(.interfaceNotFound, ["interface": .string(clipped(interface))])
    }

    /// The interface has no such method.
    public static func methodNotFound(_ method: String) -> ErrorReply {
        ErrorReply(.methodNotFound, ["method": .string(clipped(method))])
    }

    /// The interface describes this method, but the service does not implement it.
    public static func methodNotImplemented(_ method: String) -> ErrorReply {
        ErrorReply(.methodNotImplemented, ["method": .string(clipped(method))])
    }

    /// The parameter is missing, unknown, out of range or of the wrong type.
    public static func invalidParameter(_ parameter: String) -> ErrorReply {
        ErrorReply(.invalidParameter, ["parameter": .string(clipped(parameter))])
    }

    /// The caller is not allowed to call this method.
    public static let permissionDenied = ErrorReply(.permissionDenied)

    /// The method requires `more`.
    public static let expectedMore = ErrorReply(.expectedMore)

    /// The number of bytes of a caller's text that an error repeats. 256: every name of an interface, method or
    /// parameter fits.
    static let longestName = 256

    /// Returns the beginning of a caller's name: escaping a name as long as a message would take milliseconds and
    /// triple its length.
    private static func clipped(_ name: String) -> String {
        name.utf8.count > longestName ? name.beginning(bytes: longestName) + "…" : name
    }
}

// The errors that several interfaces declare.
extension ErrorReply {
    private static let interfacePermissionDenied = ".PermissionDenied"

    /// Creates the error PermissionDenied; `needs` names the required permission.
    package static func permissionDenied(_ interface: String, needs: String) -> ErrorReply {
        ErrorReply(interface + interfacePermissionDenied, ["needs": .string(needs)])
    }

    /// The required permission; nil for other errors, and without a text.
    package var permissionNeeds: String? {
        guard name.utf8.reversed().starts(with: Self.interfacePermissionDenied.utf8.reversed()) else { return nil }
        return try? parameters.value("needs", as: String.self)
    }

    /// Creates the error LimitReached; `limit` names the limited resource.
    package static func limitReached(_ interface: String, _ limit: String, maximum: Int) -> ErrorReply {
        ErrorReply("\(interface).LimitReached", ["limit": .string(limit), "maximum": .integer(Int64(maximum))])
    }
}
