// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import DesktopEntry

@Suite struct DesktopFilesTests {
    private let directory: TemporaryDirectory
    private let folders: DesktopFolders

    init() throws {
        directory = try TemporaryDirectory()
        folders = DesktopFolders(environment: [
            "HOME": directory.path + "/home", "XDG_DATA_HOME": directory.path + "/user",
            "XDG_DATA_DIRS": "\(directory.path)/local/:relative:\(directory.path)/system",
        ])
    }

    private func write(_ lines: String, to path: String) throws {
        let folder = directory.path(path.split(separator: "/").dropLast().joined(separator: "/"))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try directory.write("[Desktop Entry]\n\(lines)\n", to: path)
    }

    @Test func `the folders are those of the XDG rules, then the exports of Flatpak and Snap`() {
        let root = directory.path
        #expect(
            folders.paths == [
                root + "/user/applications", root + "/local/applications", root + "/system/applications",
                root + "/user/flatpak/exports/share/applications", "/var/lib/flatpak/exports/share/applications",
                "/var/lib/snapd/desktop/applications",
            ])
        let defaults = DesktopFolders(environment: ["HOME": "/h"])
        #expect(
            defaults.paths.prefix(3) == [
                "/h/.local/share/applications", "/usr/local/share/applications", "/usr/share/applications",
            ])
        let many = (0..<1_000).map { "/d\($0)" }.joined(separator: ":")
        #expect(DesktopFolders(environment: ["XDG_DATA_DIRS": many]).paths.count == DesktopFolders.maximumFolders)
    }

    @Test func `the first folder wins, and a hidden file removes the app`() throws {
        try write("Name=a", to: "system/applications/mpv.desktop")
        var files = DesktopFiles(folders)
        #expect(files.find(appIDs: ["mpv"])?.path == directory.path("system/applications/mpv.desktop"))
        try write("Name=b", to: "user/applications/mpv.desktop")
        #expect(files.find(appIDs: ["mpv"])?.path == directory.path("user/applications/mpv.desktop"))
        try write("Hidden=true", to: "user/applications/mpv.desktop")
        #expect(files.find(appIDs: ["mpv"]) == nil)
    }

    @Test(arguments: [
        ("org.gnome.Totem", "org.gnome.Totem"), ("foo-bar", "foo-bar"), ("ORG.gnome.totem", "org.gnome.Totem"),
        ("totem", "org.gnome.Totem"), ("Navigator", "firefox-esr"), ("NAVIGATOR", "firefox-esr"),
        ("org.mozilla.firefox-esr", "firefox-esr"),
    ])
    func `an app ID is a file's ID or StartupWMClass, in any case, or the last part of a reverse-DNS name`(
        name: String, id: String
    ) throws {
        try write("Name=a", to: "system/applications/org.gnome.Totem.desktop")
        try write("Name=b", to: "system/applications/foo/bar.desktop")
        try write("StartupWMClass = Navigator \nExec=firefox-esr %u", to: "system/applications/firefox-esr.desktop")
        var files = DesktopFiles(folders)
        #expect(files.find(appIDs: ["unknown", name])?.id == id)
    }

    @Test func `a file that Flatpak exports is found by its ID only, also if its folder comes first`() throws {
        let exports = "exports/share/applications"
        try write("StartupWMClass=Navigator", to: "\(exports)/org.evil.Game.desktop")
        try write("StartupWMClass=Navigator", to: "system/applications/firefox-esr.desktop")
        let folders = DesktopFolders(environment: [
            "XDG_DATA_DIRS": "\(directory.path)/exports/share:\(directory.path)/system"
        ])
        var files = DesktopFiles(folders)
        for name in ["Navigator", "navigator"] { #expect(files.find(appIDs: [name])?.id == "firefox-esr") }
        #expect(files.find(appIDs: ["game"]) == nil)
        for name in ["org.evil.Game", "ORG.evil.game"] { #expect(files.find(appIDs: [name])?.id == "org.evil.Game") }
    }

    @Test func `an unknown, ambiguous or hostile app ID has no file`() throws {
        try write("Name=a", to: "system/applications/org.a.Player.desktop")
        try write("Name=b", to: "system/applications/org.b.Player.desktop")
        try write("Name=c", to: "secret.desktop")
        var files = DesktopFiles(folders)
        for name in ["player", "", ".", "../../secret", "../../secret.desktop", "a\0b", "none"] {
            #expect(files.find(appIDs: [name]) == nil)
        }
    }

    @Test func `a file is read again when it has changed, and forgotten when it is removed`() throws {
        try write("StartupWMClass=Old", to: "system/applications/a.desktop")
        var files = DesktopFiles(folders)
        #expect(files.find(appIDs: ["Old"])?.id == "a")
        try write("StartupWMClass=Newer", to: "system/applications/a.desktop")
        #expect(files.find(appIDs: ["Old"]) == nil)
        #expect(files.find(appIDs: ["Newer"])?.id == "a")
        try FileManager.default.removeItem(atPath: directory.path("system/applications/a.desktop"))
        #expect(files.find(appIDs: ["Newer"]) == nil)
    }

    /// Sets the time of a folder's last change; the default is in the past.
    private func setTime(of folder: String, _ date: Date = Date(timeIntervalSince1970: 1_000_000_000)) throws {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: directory.path(folder))
    }

    @Test func `a name without a file is searched for again when a folder has changed`() throws {
        let folder = "system/applications"
        try write("Name=a", to: folder + "/sub/a.desktop")
        for number in 0..<100 {
            try write("Name=\(number)", to: folder + "/sub\(number)/a.desktop")
            try setTime(of: folder + "/sub\(number)")
        }
        try setTime(of: folder)
        try setTime(of: folder + "/sub")
        var files = DesktopFiles(folders)
        #expect(files.find(appIDs: ["Player"]) == nil)
        let file = try #require(FileHandle(forWritingAtPath: directory.path(folder + "/sub/a.desktop")))
        try file.seekToEnd()
        try file.write(contentsOf: Data("StartupWMClass=Player\n".utf8))
        #expect(files.find(appIDs: ["Player"]) == nil, "no folder was read")
        try write("StartupWMClass=Player", to: folder + "/sub/b.desktop")
        #expect(files.find(appIDs: ["Player"])?.id == "sub-a")
    }

    @Test func `a folder that changed shortly before a search is searched again`() throws {
        try write("Name=a", to: "system/applications/a.desktop")
        try setTime(of: "system/applications", Date(timeIntervalSinceNow: 60))
        var files = DesktopFiles(folders)
        #expect(files.find(appIDs: ["Player"]) == nil)
        let file = try #require(FileHandle(forWritingAtPath: directory.path("system/applications/a.desktop")))
        try file.seekToEnd()
        try file.write(contentsOf: Data("StartupWMClass=Player\n".utf8))
        #expect(files.find(appIDs: ["Player"])?.id == "a")
    }

    @Test func `the names without a file have a limit`() {
        var misses = NegativeLookupCache()
        let listing = DesktopFolders(environment: [:]).list()
        for number in 0...NegativeLookupCache.maximumNames { misses.insert(["\(number)"], in: listing) }
        #expect(!misses.contains(["0"]) && misses.contains(["\(NegativeLookupCache.maximumNames)"]))
    }

    @Test(arguments: [
        ("mpv --player-operation-mode=pseudo-gui -- %U", "mpv"), ("/usr/bin/mpv %U", "mpv"),
        ("env GDK_BACKEND=x11 /usr/bin/mpv", "mpv"), ("\"/opt/My App/mpv\" %f", "mpv"),
        ("A=1 mpv", "mpv"), ("\"a \\\"b\"", "a \"b"),
    ])
    func `a program is found by the first word of Exec`(exec: String, program: String) throws {
        try write("Exec=\(exec)", to: "system/applications/org.mpv.desktop")
        var files = DesktopFiles(folders)
        #expect(files.find(program: "/elsewhere/\(program)")?.id == "org.mpv")
        #expect(files.find(program: "vlc") == nil && files.find(program: "") == nil)
    }

    @Test func `of several files that run a program the one with its name is found, else none`() throws {
        try write("Exec=office --writer", to: "system/applications/writer.desktop")
        try write("Exec=office --calc", to: "system/applications/calc.desktop")
        var files = DesktopFiles(folders)
        #expect(files.find(program: "office") == nil)
        try write("Exec=office", to: "system/applications/org.x.Office.desktop")
        #expect(files.find(program: "office")?.id == "org.x.Office")
    }

    @Test func `app IDs and keys are compared as bytes`() throws {
        try write("Exec=\u{338}mpv\nStartupWMClass=\u{e9}", to: "system/applications/\u{e9}.desktop")
        var files = DesktopFiles(folders)
        #expect(files.find(appIDs: ["e\u{301}"]) == nil && files.find(appIDs: ["\u{e9}"]) != nil)
        #expect(files.find(program: "\u{338}mpv") != nil)
    }

    @Test func `loops of links, pipes and folders beyond the limit end the search`() throws {
        try write("Name=a", to: "system/applications/a.desktop")
        let folder = directory.path("system/applications")
        for number in 0..<25 {
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/loop\(number)", withDestinationPath: ".")
        }
        #expect(mkfifo(folder + "/pipe.desktop", 0o600) == 0)
        #expect(folders.list().files.map(\.id) == ["a"])
        #expect(folders.list().folders.map(\.path) == folders.paths)
        for number in 0..<DesktopFolders.maximumFolders {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(number)", withIntermediateDirectories: false)
        }
        #expect(folders.list().folders.count == DesktopFolders.maximumFolders)
    }

    @Test func `keys of other groups are not those of the app`() {
        let keys = Keys(
            Array("[X]\nExec=x\n[Desktop Entry]\nExecutable=y\nExec=z\n[Desktop Action A]\nHidden=true\n".utf8))
        #expect(keys.program == "z" && !keys.isHidden)
    }

    @Test func `an invalid line is reported and ignored if the reader wants it`() throws {
        let path = try directory.write("[Desktop Entry]\nbad\nName=a\nName=b\n[x\nIcon=i\n", to: "a.desktop")
        var reported: [String] = []
        let entry = try DesktopEntry(path: path, ignoringInvalidLines: { reported.append($0.description) })
        #expect(entry["Name"] == "a" && entry["Icon"] == "i")
        #expect(
            reported == [
                "line 2: neither KEY=VALUE nor a group header", "line 4: duplicate key Name",
                "line 5: a group header without ']'",
            ])
    }
}
