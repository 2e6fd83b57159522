// SPDX-License-Identifier: Apache-2.0

import TestServer
import Varlink

/// The service side of the public test `org.varlink.certification`: each call must contain the values of the previous
/// reply.
enum CertificationService {
    private static let values: JSONObject = [
        "bool": false, "int": 2, "float": 3.141592653589793, "string": "a lot of string",
    ]
    private static let map: JSONValue = ["foo": "Foo", "bar": "Bar"]
    private static let set: JSONValue = ["one": [:], "two": [:], "three": [:]]
    private static let everything: JSONValue = [
        "object": ["method": "org.varlink.certification.Test09", "parameters": ["map": map]],
        "enum": "two",
        "struct": ["first": 1, "second": "2"],
        "array": ["one", "two", "three"],
        "dictionary": map,
        "stringset": set,
        "interface": [
            "foo": [nil, ["foo": "foo", "bar": "bar"], nil, ["one": "foo", "two": "bar"]],
            "anon": ["foo": true, "bar": false],
        ],
    ]
    private static let numbers = (1...10).map { "Reply number \($0)" }

    /// The expected parameters of each call, without the client's id, and its reply; Test10 has ten replies.
    private static let steps: [String: (wants: JSONObject, mode: Call.Mode, reply: JSONObject)] = [
        "Test01": ([:], .single, ["bool": true]),
        "Test02": (["bool": true], .single, ["int": 1]),
        "Test03": (["int": 1], .single, ["float": 1.0]),
        "Test04": (["float": 1.0], .single, ["string": "ping"]),
        "Test05": (["string": "ping"], .single, values),
        "Test06": (values, .single, ["struct": .object(values)]),
        "Test07": (["struct": .object(values)], .single, ["map": map]),
        "Test08": (["map": map], .single, ["set": set]),
        "Test09": (["set": set], .single, ["mytype": everything]),
        "Test10": (["mytype": everything], .more, [:]),
        "Test11": (["last_more_replies": .array(numbers.map { .string($0) })], .oneway, [:]),
        "End": ([:], .single, ["all_ok": true]),
    ]

    private static let id = "the only client"

    static func answer(_ call: Call) -> [EncodedMessage] {
        if call.member == "Start" { return [EncodedMessage(reply: ["client_id": .string(id)])] }
        guard let step = steps[String(call.member)] else {
            return [EncodedMessage(error: .methodNotFound(call.method))]
        }
        var wants: JSONObject = ["client_id": .string(id)]
        for (key, value) in step.wants { wants[key] = value }
        guard call.parameters.sameNumbers == wants.sameNumbers, call.mode == step.mode else {
            let details: JSONObject = ["wants": .object(wants), "got": .object(call.parameters)]
            return [EncodedMessage(error: ErrorReply("org.varlink.certification.CertificationError", details))]
        }
        guard call.member == "Test10" else { return [EncodedMessage(reply: step.reply)] }
        return numbers.enumerated().map { index, text in
            EncodedMessage(reply: ["string": .string(text)], continues: index < numbers.count - 1)
        }
    }
}

extension JSONObject {
    /// The object with all numbers as reals: some clients write 1.0 as 1.
    fileprivate var sameNumbers: JSONValue { JSONValue.object(self).sameNumbers }
}

extension JSONValue {
    fileprivate var sameNumbers: JSONValue {
        switch self {
        case .integer(let value): .real(Double(value))
        case .array(let values): .array(values.map(\.sameNumbers))
        case .object(let object): .object(JSONObject(object.map { ($0.key, $0.value.sameNumbers) }))
        default: self
        }
    }
}
