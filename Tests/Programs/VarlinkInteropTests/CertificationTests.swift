// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestServer
import TestSupport
import Testing
import Varlink

/// The certification of the Varlink project, as client and as service, with the reference implementation in Python.
@Suite(.timeLimit(.minutes(10))) struct CertificationTests {
    private let directory: TemporaryDirectory
    private let name = "org.varlink.certification"

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `the client passes the certification of the Python service`() throws {
        let server = try RunningProgram(
            Programs.python, ["-m", "varlink.tests.test_certification", "--varlink=unix:\(directory.socket)"])
        _ = try server.lines { $0.contains("Listening") }
        var client = try BlockingClient(to: directory.socket)
        var parameters = try #require(try client.call(Call("\(name).Start")).first)
        let id = parameters["client_id"]
        for number in 1...9 {
            let method = "Test0\(number)"
            parameters["client_id"] = id
            let replies = try client.call(Call("\(name).\(method)", parameters))
            #expect(replies.count == 1)
            parameters = try #require(replies.first)
            parameters["client_id"] = nil
        }
        parameters["client_id"] = id
        let many = try client.call(Call("\(name).Test10", parameters, mode: .more))
        #expect(many.count == 10)
        let texts = many.compactMap { $0["string"] }
        #expect(
            try client.call(
                Call("\(name).Test11", ["client_id": id ?? nil, "last_more_replies": .array(texts)], mode: .oneway)
            ).isEmpty)
        #expect(try client.call(Call("\(name).End", ["client_id": id ?? nil])) == [["all_ok": true]])
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
