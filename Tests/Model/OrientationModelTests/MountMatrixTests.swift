// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@Suite struct MountMatrixTests {
    @Test func `the text forms of the kernel and udev are parsed`() throws {
        let matrix = try MountMatrix(parsing: " 0, 1.0, 0; -1,0,0;\t0,0,1e0 ")
        #expect(matrix.elements == [0, 1, 0, -1, 0, 0, 0, 0, 1])
        #expect(matrix.determinant == 1)
        #expect(try MountMatrix(parsing: "1,0,0;0,1,0;0,0,1\n") == .identity)
        for text in ["1,0,0\n0,1,0\n0,0,1\n", "1, 0, 0;\n0, 1, 0;\r\n0, 0, 1;\n"] {
            #expect(try MountMatrix(parsing: text) == .identity, "\(text)")
        }
    }

    @Test(arguments: [
        "", ";", "1,0,0", "1,0,0;0,1,0", "1,0;0,1,0;0,0,1", "1,0,0,0;0,1,0;0,0,1",
        "1 0 0;0 1 0;0 0 1", "a,0,0;0,1,0;0,0,1", "nan,0,0;0,1,0;0,0,1", "inf,0,0;0,1,0;0,0,1",
        "1e300,0,0;0,1,0;0,0,1", "1,,0;0,1,0;0,0,1", "0, 0, -1; 1, 0 0; 0, 1, 0", "\"1, 0, 0; 0, 1, 0; 0, 0, 1\"",
        "1,0,0;0,1,0;0,0,x", "1,0,0;0,1,0;0,0,1?", "1,0,0;0,1,0;0,0,", "1,0,0;0,1,0;0,0 # 1",
        "0,0,0;0,0,0;0,0,0", "1,0,0;1,0,0;0,0,1", "0,1,0;0,-2,0;0,0,1", "0.01,0,0;0,0.01,0;0,0,0.01",
    ])
    func `an invalid matrix is refused`(text: String) {
        #expect(throws: MountMatrixError.self) { try MountMatrix(parsing: text) }
    }

    @Test(arguments: [
        "-1,0,0;0,-1,0;0,0,1", "-1, 0, 0; 0, -1, 0; 0, 0, 1;", "-1, 0, 0; 0, -1, 0; 0, 0, 1 ; ",
        "-1, 0, 0; 0, -1, 0; 0, 0, 1 # from 61-local", "-1.0 , 0.0 , 0.0 ; .0 , -1. , 0e0 ; 0 , -0 , +1.0",
        "\t-1,\t0, 0 ;0, -1, 0; 0, 0, 1\r\n", "-1,0,0;0,-1,0;0,0,1,0;0,0,0",
    ])
    func `what iio-sensor-proxy reads is parsed, with what follows the ninth number`(text: String) throws {
        #expect(try MountMatrix(parsing: text).elements == [-1, 0, 0, 0, -1, 0, 0, 0, 1])
    }

    @Test(arguments: ["0, 1, 0; -1, 0, 0; 0, 0, 1", "0.6, 0.0001, 0.8; -1, 0, 0; 0, 0, 1"])
    func `the text of a matrix parses to the same matrix`(text: String) throws {
        #expect(try MountMatrix(parsing: text).text == text)
    }

    @Test func `a long text is quoted in part`() {
        // Two characters.
        let page = "1" + String(repeating: "\u{301}", count: 700) + ";"
        let error = #expect(throws: MountMatrixError.self) { try MountMatrix(parsing: page) }
        #expect((error?.description.utf8.count ?? 0) < 250)
        #expect(error?.description.contains("...'") == true)
    }
}
