// SPDX-License-Identifier: Apache-2.0

/// Numbers for people, without Foundation.
enum Decimal {
    static func text(_ number: Double, places: Int, isSigned: Bool = false) -> String {
        guard !number.isNaN else { return "–" }
        var scale = 1
        for _ in 0..<places { scale *= 10 }
        // What is larger is no measurement; and it would not fit.
        let limit = 1e9
        let scaled = Int((min(max(number, -limit), limit) * Double(scale)).rounded())
        let sign = scaled < 0 ? "−" : isSigned && scaled > 0 ? "+" : ""
        let whole = "\(sign)\(scaled.magnitude / UInt(scale))"
        guard places > 0 else { return whole }
        let rest = String(scaled.magnitude % UInt(scale))
        return whole + "." + String(repeating: "0", count: places - rest.count) + rest
    }
}

extension String {
    /// With spaces behind it, for a column.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - count, 0))
    }
}
