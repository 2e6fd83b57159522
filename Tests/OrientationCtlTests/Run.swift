// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One run of the tool, from the build folder of the tests.
struct Run {
    let status: Int32
    let output: String
    let error: String

    /// The build folder of the tests.
    static let products: URL = {
        let test = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" }
        return bundle?.deletingLastPathComponent() ?? test
    }()

    /// The path of the tool.
    static var tool: String { products.appendingPathComponent("orientationctl").path }

    init(
        _ arguments: [String], program: String = tool, input: String = "", environment: [String: String] = [:],
        folder: URL? = nil
    ) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        if let folder { process.currentDirectoryURL = folder }
        process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
            .merging(environment) { $1 }
        let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        process.standardError = standardError
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        output = String(decoding: standardOutput.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        error = String(decoding: standardError.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }
}

/// A temporary folder, removed at the end of its lifetime.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("orientationctl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String, _ text: String? = nil) throws -> String {
        let file = url.appendingPathComponent(name)
        if let text { try Data(text.utf8).write(to: file) }
        return file.path
    }

    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
    }
}
