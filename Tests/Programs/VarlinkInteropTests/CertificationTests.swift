// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestServer
import TestSupport
import Testing
import Varlink

/// The certification of the Varlink project, with the reference implementation in Python.
@Suite(.timeLimit(.minutes(10))) struct CertificationTests {
    private let directory: TemporaryDirectory
    private let name = "org.varlink.certification"

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `the Python client passes the certification of the service`() throws {
        let locate = try RunningProgram(
            Programs.python, ["-c", "import varlink.tests, os; print(os.path.dirname(varlink.tests.__file__))"])
        let folder = try #require(try locate.line())
        let text = try String(contentsOf: URL(filePath: folder).appending(path: "\(name).varlink"), encoding: .utf8)
        let service = Service(
            Service.Identity(vendor: "orientationd", product: "certification", version: "1", url: ""),
            interfaces: [InterfaceDescription(text)])
        let server = try PollServer(at: directory.socket, service: service, handler: CertificationService.answer)
        let client = try RunningProgram.run(
            Programs.python,
            ["-m", "varlink.tests.test_certification", "--client", "--varlink=unix:\(directory.socket)"])
        #expect(client.status == 0)
        #expect(client.output.last == "Certification passed", "\(client.errors)")
        server.stop()
    }
}
