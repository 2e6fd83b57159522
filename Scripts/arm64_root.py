# SPDX-License-Identifier: Apache-2.0
"""Debian with the libraries of arm64 in a directory: the system root of the cross-compiler, and the machine that makes the
packages. Its release decides on which Debian they can be installed: the C library of the oldest one that has what Swift's
runtime needs (2.38)."""

import json
import subprocess
from pathlib import Path

import debian_root
import swift_root

SUITE = "trixie"
# The libraries of the programs. For amd64, the tools of packages; qemu-user runs the built tool, which prints its completions.
TOOLS = ["dpkg-dev", "debhelper", "dh-python", "g++-aarch64-linux-gnu", "gcc-aarch64-linux-gnu", "make", "meson", "python3", "qemu-user"]
PACKAGES = TOOLS + [f"{name}:arm64" for name in (
    "libc6-dev", "pkgconf", "libgcc-14-dev", "libstdc++-14-dev", "libiio-dev", "libsystemd-dev", "libjansson-dev", "libwayland-dev",
    "libxcb-randr0-dev", "libxcb-xinput-dev")]
ARCHITECTURES = "--architectures=amd64,arm64"

# Swift's modules and libraries for arm64, in the directory.
RUNTIME = "opt/swift"
TRIPLE = "aarch64-unknown-linux-gnu"


def ensure(cache: Path, version: str) -> Path:
    """Return the root directory, with Swift's modules and libraries of this version of Debian's package; build it if needed."""
    root = debian_root.ensure(cache, SUITE, PACKAGES, ARCHITECTURES)
    runtime = root / RUNTIME
    stamp = runtime / "version"
    if not stamp.exists() or stamp.read_text() != version:
        download_runtime(cache, runtime, version)
        stamp.write_text(version)
    return root


def download_runtime(cache: Path, runtime: Path, version: str) -> None:
    """Unpack the libraries of the package swiftlang of arm64. The compiler reads only modules of its own version."""
    print(f"downloading Swift's runtime for arm64 to {runtime}", flush=True)
    subprocess.run(["rm", "-rf", runtime], check=True)
    runtime.mkdir(parents=True)
    # mmdebstrap verifies the signatures of the release, of which it installs nothing here.
    download = f"cd '{runtime}' && APT_CONFIG=$MMDEBSTRAP_APT_CONFIG apt-get --quiet download swiftlang:arm64={version}"
    command = [
        "mmdebstrap", "--variant=custom", "--format=null", ARCHITECTURES, *swift_root.OPTIONS, f"--customize-hook={download}",
        swift_root.SUITE, "-",
        f"deb [signed-by={debian_root.KEYRING}] {debian_root.mirror()} {swift_root.SUITE} main",
    ]
    log = cache / "download.log"
    with open(log, "w") as file:
        if subprocess.run(command, stdout=file, stderr=file, check=False).returncode != 0:
            raise SystemExit(
                f"cannot download swiftlang {version} for arm64: {log.read_text()[-1000:]}\n"
                "If the mirror has another version by now, remove .build/debian-swift and try again.")
    (package,) = runtime.glob("swiftlang_*.deb")
    names = [f"./usr/libexec/swift/lib/{name}" for name in ("swift", "swift_static", "clang")]
    contents = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE)
    subprocess.run(["tar", "-C", runtime, "-x", "--strip-components=4", *names], stdin=contents.stdout, check=True)
    if contents.wait():
        raise SystemExit(f"cannot unpack {package}")
    # Where the linker searches them.
    for name in ("swift", "swift_static"):
        link = runtime.parents[1] / "usr/lib" / name
        link.unlink(missing_ok=True)
        link.symlink_to(f"../../{RUNTIME}/lib/{name}")
    package.unlink()


def write_sdk(bundles: Path, sysroot: str) -> str:
    """Write a Swift SDK for the root directory, which is mounted at `sysroot`; return its name."""
    name = "debian-arm64"
    bundle = bundles / f"{name}.artifactbundle"
    bundle.mkdir(parents=True, exist_ok=True)
    target = {
        "sdkRootPath": sysroot, "toolsetPaths": ["toolset.json"], "swiftResourcesPath": f"{sysroot}/{RUNTIME}/lib/swift",
        "swiftStaticResourcesPath": f"{sysroot}/{RUNTIME}/lib/swift_static",
    }
    (bundle / "info.json").write_text(json.dumps({"schemaVersion": "1.0", "artifacts": {
        name: {"type": "swiftSDK", "version": "1", "variants": [{"path": "."}]}}}))
    (bundle / "swift-sdk.json").write_text(json.dumps({"schemaVersion": "4.0", "targetTriples": {TRIPLE: target}}))
    (bundle / "toolset.json").write_text(json.dumps({
        "schemaVersion": "1.0", "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld"]}}))
    return name
