// SPDX-License-Identifier: Apache-2.0

/// What there is to know about one sensor without reading it.
package struct SensorInfo: Hashable, Sendable {
    /// Names it within the daemon, for example `iio:device0` or `fake:demonstration`.
    package var id: String
    /// The driver's or the recording's name for it, for example `kxcjk1013`.
    package var name: String
    /// The kernel driver; nil where there is none or it is not known.
    package var driver: String?
    /// Where in the device it sits: `display`, `lid` or `base`.
    package var location: String
    /// The mount matrix's nine elements, row by row, as found.
    package var matrix: [Double]
    /// Where the mount matrix was found.
    package var matrixSource: String
    /// What is wrong with it although it can be used, a sentence each.
    package var warnings: [String]

    package init(
        id: String, name: String, driver: String? = nil, location: String = "display",
        matrix: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1], matrixSource: String = "none", warnings: [String] = []
    ) {
        self.id = id
        self.name = name
        self.driver = driver
        self.location = location
        self.matrix = matrix
        self.matrixSource = matrixSource
        self.warnings = warnings
    }
}

/// A sensor that was looked at, and the verdict.
package struct SensorListing: Hashable, Sendable {
    package var info: SensorInfo
    /// Whether this is the one that is used, or would be.
    package var isChosen: Bool
    /// Why it was or was not chosen, a sentence.
    package var why: String

    package init(info: SensorInfo, isChosen: Bool, why: String) {
        self.info = info
        self.isChosen = isChosen
        self.why = why
    }
}
