// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import Varlink

extension Examination {
    /// All findings as one object.
    var json: JSONObject {
        [
            "problems": .integer(Int64(count(.problem))), "notes": .integer(Int64(count(.note))),
            "findings": .array(findings.map { .object($0.json) }),
        ]
    }
}

extension Finding {
    fileprivate var json: JSONObject {
        var json: JSONObject = [
            "check": .string(check), "level": .string(level.rawValue), "summary": .string(summary),
        ]
        json["detail"] = detail.map { .string($0) }
        json["fix"] = fix.map { .string($0) }
        return json
    }
}
