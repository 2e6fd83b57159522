// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Posix

/// The columns of a CSV file with a time and an acceleration, found by their names and units, in any order.
///
/// Apps name them differently: `t,x,y,z`, `seconds_elapsed`, `"Acceleration x (m/s^2)"`, `gFx`,
/// `accelerometerAccelerationX(G)`, `Time since start in ms`. Columns of other sensors, and of linear acceleration, are not
/// used. Beside gravity, an acceleration is taken only if its name or that of a linear one says that it has gravity:
/// Sensor Logger's `accelerometer_x` has none.
struct CSVColumns: Sendable {
    let separator: UInt8
    /// The positions of t, x, y and z, and their names for messages.
    let positions: [Int]
    let names: [String]
    /// The number of fields of a row with the plain columns and no others; nil for other files.
    let exactCount: Int?
    /// The unit of the times; nil if the name states none.
    private(set) var timeUnit: TimeUnit?
    /// The factor from the numbers to m/s²; nil if the name states no unit.
    private(set) var unit: Double?
    /// The sign of the numbers: −1 for vectors of Core Motion, which point towards the ground.
    private(set) var sign = 1.0

    /// The columns of a file without names.
    init(separator: UInt8) {
        self.separator = separator
        (positions, exactCount) = ([0, 1, 2, 3], 4)
        names = RecordingFormat.plainColumns.parts(between: ",")
    }

    /// Finds the columns by the names in the first row; nil if one is missing.
    init?(header fields: [[UInt8]], separator: UInt8) {
        let all = fields[..<min(fields.count, RecordingLimits.columns)].map { ColumnName($0[...]) }
        // A merged file has a time for each sensor.
        let time = all.indices.filter { all[$0].isTime }.min { all[$0].timeRank < all[$1].timeRank }
        let vectors = all.filter { $0.rank != nil }.compactMap { column -> [Int]? in
            let axes = ColumnName.axes.compactMap { axis in
                all.firstIndex { $0.axis == axis && $0.rank != nil && $0.base.hasBytes(of: column.base) }
            }
            return axes.count == 3 ? axes : nil
        }
        let ranks: [ColumnName.Rank] =
            all.contains(where: \.isLinear)
            ? [.withGravity, .acceleration, .plain, .gravity] : [.withGravity, .gravity, .acceleration, .plain]
        let vector = ranks.lazy.compactMap { rank in vectors.first { all[$0[0]].rank == rank } }.first
        guard let time, let vector else { return nil }
        self.separator = separator
        positions = [time] + vector
        names = positions.map { String(decoding: fields[$0].trimmed, as: UTF8.self) }
        exactCount = positions == [0, 1, 2, 3] && fields.count == 4 ? 4 : nil
        timeUnit = all[time].timeUnit
        unit = all[vector[0]].accelerationUnit
        sign = all[vector[0]].isCoreMotion ? -1 : 1
    }

    /// What is read from which columns, as a message; nil for plain columns.
    var note: String? {
        let isPlain = names.joined(separator: ",").lowercased().hasBytes(of: RecordingFormat.plainColumns)
        guard exactCount == nil || !isPlain else { return nil }
        let quoted = names.map { "'\($0)'" }
        let unit = unit.map { $0 == 1 ? " in m/s²" : $0 == Acceleration.standardGravity ? " in g" : " in mg" } ?? ""
        let sign = sign < 0 ? ", negated: the sign of Core Motion" : ""
        let time = "time from \(quoted[0])\(timeUnit.map { " in \($0)" } ?? "")"
        return "\(time), acceleration from \(quoted[1...].joined(separator: ", "))\(unit)\(sign)"
    }

    /// The columns that a file must have, for messages.
    static let needed = """
        a time (as t, time, timestamp, seconds_elapsed) and an acceleration with gravity along x, y and z (as x, ax, accX, \
        'Acceleration x (m/s^2)'), as text in UTF-8 with commas, semicolons or tabulators between the columns
        """

    /// Splits a row at the separator. Fields lose their quotes; an empty one after the last separator is no field.
    static func fields(of row: ArraySlice<UInt8>, separator: UInt8) -> [[UInt8]] {
        var fields: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in row {
            if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                fields.append([])
            } else {
                fields[fields.count - 1].append(byte)
            }
        }
        if fields.count > 4, fields[fields.count - 1].isEmpty { fields.removeLast() }
        return fields
    }

    /// Returns the separator of a row: a semicolon, a tabulator or a comma.
    static func separator(of row: ArraySlice<UInt8>) -> UInt8 {
        // The last byte ends the row: data sets exist whose rows end with a semicolon.
        ";\t".utf8.first { fields(of: row.dropLast(), separator: $0).count > 1 } ?? UInt8(ascii: ",")
    }

    /// Parses a finite decimal number, which blanks or a semicolon may follow; nil for any other text. A comma within a field
    /// is a decimal one; between commas `"1,020"` may also be 1020, and is refused.
    static func number(_ field: ArraySlice<UInt8>, separator: UInt8 = UInt8(ascii: ",")) -> Double? {
        let bytes = field.trimming { " \t;".utf8.contains($0) }
        let comma = UInt8(ascii: ",")
        let whole = bytes.prefix { $0 != comma }
        let decimals = bytes.dropFirst(whole.count + 1)
        if separator == comma, bytes.contains(comma), decimals.count == 3, decimals.allSatisfy({ 48...57 ~= $0 }) {
            guard let whole = number(whole), !(1..<1_000 ~= abs(whole)) else { return nil }
        }
        let text = bytes.map { $0 == comma ? UInt8(ascii: ".") : $0 }
        return Double(decimal: String(decoding: text, as: UTF8.self))
    }
}

/// The name of a column in words: `accelerometerAccelerationX(G)` is accelerometer, acceleration and x, with the unit g.
private struct ColumnName {
    static let axes = Array("xyz".utf8)

    private let words: [String]
    private let units: [String]
    /// Whether the unit has another character than ASCII, as µs.
    private let hasMicro: Bool
    /// The axis that the name states.
    private(set) var axis: UInt8?
    private(set) var base = ""
    /// What the column is of the acceleration with gravity; nil for other quantities.
    private(set) var rank: Rank?

    enum Rank { case withGravity, acceleration, plain, gravity }

    init(_ bytes: ArraySlice<UInt8>) {
        let stem = bytes.prefix { !"([".utf8.contains($0) }
        let unit = bytes.dropFirst(stem.count)
        words = Self.words(in: stem)
        units = Self.words(in: unit)
        hasMicro = (unit.isEmpty ? stem : unit).contains { $0 >= 0x80 }
        let single = words.filter(Self.isAxis)
        if single.count == 1, let place = words.firstIndex(where: Self.isAxis) {
            axis = single[0].utf8.first
            let unitless = words[place...].filter { !$0.hasBytes(of: "g") }
            base = (words[..<place] + unitless).filter { !Self.isAxis($0) && !Self.fillers.contains($0) }.joined()
        } else if single.isEmpty, let last = words.last?.utf8.last, Self.axes.contains(last) {
            axis = last
            base = String(decoding: words.joined().utf8.dropLast(), as: UTF8.self)
        }
        rank = axis == nil || isOfOtherSensor || isLinear ? nil : Self.rank(of: base)
    }

    /// Splits at other characters than letters and digits, and before the capitals of camel case. The words are lower case.
    private static func words(in bytes: ArraySlice<UInt8>) -> [String] {
        var words: [[UInt8]] = []
        var last: UInt8 = 0
        for byte in bytes {
            let isCapital = 65...90 ~= byte
            let isPart = isCapital || 97...122 ~= byte || 48...57 ~= byte
            if isPart {
                if last == 0 || isCapital && 97...122 ~= last { words.append([]) }
                words[words.count - 1].append(byte | 0x20)
            }
            last = isPart ? byte : 0
        }
        return words.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func isAxis(_ word: String) -> Bool { word.utf8.count == 1 && word.utf8.allSatisfy(axes.contains) }

    /// Words beside an axis that say nothing of the quantity.
    private static let fillers = ["axis", "value", "data", "raw", "sensor", "ms2", "uncalibrated"]

    private static func rank(of base: String) -> Rank? {
        if ["includinggravity", "withgravity", "total"].contains(where: base.hasPart) { return .withGravity }
        if base.hasPart("grav") { return .gravity }
        if base.hasPart("acc") || ["a", "gf", "gforce"].contains(base) { return .acceleration }
        return base.isEmpty ? .plain : nil
    }

    var isLinear: Bool { ["lin", "user", "body", "without"].contains(where: base.hasPart) }

    private var isOfOtherSensor: Bool {
        let parts = ["gyr", "mag", "rot", "orient", "attitude", "quat", "euler", "heading", "speed", "location", "gps"]
        return parts.contains(where: words.joined().hasPart)
    }
}

extension ColumnName {
    private static let timeWords = [
        "time", "timestamp", "elapsed", "since", "seconds", "millis", "date", "datetime", "epoch", "uptime", "yyyy",
    ]

    var isTime: Bool {
        if axis != nil || ["diff", "delta", "interval", "zone"].contains(where: words.contains) { return false }
        let isShort = ["t", "ts"].contains(words.first) && words.dropFirst().allSatisfy { TimeUnit(word: $0) != nil }
        // A column whose name is its unit.
        let isUnit = words.count == 1 && TimeUnit(word: words[0]) != nil
        return isShort || isUnit
            || words.contains { Self.timeWords.contains($0) || $0.utf8.reversed().starts(with: "emit".utf8) }
    }

    /// The unit that the name states; nil without one.
    var timeUnit: TimeUnit? {
        let stated = { (words: [String]) in words.lazy.compactMap { TimeUnit(word: $0) } }
        let found = stated(units).first ?? stated(words).last
        return found == .s && hasMicro ? .us : found
    }

    /// The preference among several times, the lowest first: the accelerometer's, then one with a unit.
    var timeRank: Int {
        if isOfOtherSensor || ["motion"].contains(where: words.contains) { return 3 }
        return words.first?.utf8.starts(with: "acc".utf8) == true ? 0 : timeUnit != nil ? 1 : 2
    }

    /// The factor from the unit in parentheses, or in the name, to m/s²; nil without a known one.
    var accelerationUnit: Double? {
        let unit = units.joined()
        let isInG = ["g", "gs", "gforce"].contains(unit) || ["gf", "gforce"].contains(base)
        if isInG || unit.isEmpty && words.last?.hasBytes(of: "g") == true {
            return Acceleration.standardGravity
        }
        if unit.hasBytes(of: "mg") { return Acceleration.standardGravity / 1_000 }
        // The exponent may be a character that is not ASCII.
        return ["ms2", "ms", "mss"].contains(unit) ? 1 : nil
    }

    /// Whether the vectors come from Apple's Core Motion, as in SensorLog's files: upright at rest y is −1 g.
    var isCoreMotion: Bool {
        ["accelerometeracceleration", "motiongravity"].contains(base) && units.joined().hasBytes(of: "g")
    }
}

extension TimeUnit {
    /// The unit that a word of a name states; nil for another word.
    fileprivate init?(word: String) {
        let prefixes = [(TimeUnit.s, "sec"), (.ms, "msec"), (.ms, "milli"), (.us, "micros"), (.ns, "nano")]
        let unit = prefixes.first { word.utf8.starts(with: $0.1.utf8) }?.0
        guard let unit = unit ?? TimeUnit(rawValue: word) else { return nil }
        self = unit
    }
}

extension String {
    /// Whether these bytes are somewhere in the text.
    fileprivate func hasPart(_ part: String) -> Bool {
        utf8.indices.contains { utf8[$0...].starts(with: part.utf8) }
    }
}
