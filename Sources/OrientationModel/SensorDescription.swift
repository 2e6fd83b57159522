// SPDX-License-Identifier: Apache-2.0

/// A sensor that was found, and what was decided about it.
public struct SensorDescription: Hashable, Sendable {
    /// Names the sensor among those of this machine.
    public var id: String
    /// What the device calls itself.
    public var name: String
    /// The kernel driver; nil where it is not known.
    public var driver: String?
    /// Where it sits, for example `display` or `base`.
    public var location: String
    /// Whether it is the one in use, or would be if somebody asked.
    public var isChosen: Bool
    /// Why it was or was not chosen, for a person.
    public var why: String
    /// The mount matrix as it was found: nine numbers, row by row, without unit.
    public var matrix: [Double]
    /// Where the matrix comes from, for a person.
    public var matrixSource: String
    /// What is odd about the device, for a person.
    public var warnings: [String]
    /// What it felt last in m/s², in the device frame; nil where it has not been used yet, or where that is not told to
    /// everybody.
    public var lastVector: Acceleration?
    /// What last went wrong with it, for a person, whether or not it has recovered; nil where nothing has.
    public var lastError: String?

    /// How its samples are come by, and why so, for a person; nil where there is nothing to say. Not on the wire.
    public var reading: String?

    /// Makes a description; what is left out is that of a sensor without a chip, whose axes are the device's.
    public init(
        id: String, name: String, driver: String? = nil, location: String = "display", isChosen: Bool = false,
        why: String = "", matrix: [Double] = MountMatrix.identity.elements, matrixSource: String = "none",
        warnings: [String] = [], lastVector: Acceleration? = nil, lastError: String? = nil
    ) {
        self.id = id
        self.name = name
        self.driver = driver
        self.location = location
        self.isChosen = isChosen
        self.why = why
        self.matrix = matrix
        self.matrixSource = matrixSource
        self.warnings = warnings
        self.lastVector = lastVector
        self.lastError = lastError
    }
}
