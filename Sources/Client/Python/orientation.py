# SPDX-License-Identifier: Apache-2.0
"""The orientation of the device, from orientationd or, without it, from iio-sensor-proxy: liborientation.so.0, orientation(3).

    for state in orientation.follow():                  # the current state, then every change
        print(state.rotation, state.reason)

    async for state in orientation.follow():            # the same in asyncio
        print(state.pose)

In other main loops a Handle has a descriptor, which is readable when process() has work: with GLib, GTK and Qt

    handle = orientation.Handle()
    GLib.unix_fd_add_full(0, handle.fileno(), GLib.IOCondition.IN, lambda *_: handle.process() or True)

An absent service, and one that restarts, are states with a rotation of -1 and a reason. A handle belongs to one thread.
"""
import collections
import ctypes
import os
import select

__all__ = ["Error", "Handle", "State", "follow"]
POSES = ("unknown", "portrait", "portraitUpsideDown", "landscapeLeft", "landscapeRight", "faceUp", "faceDown")
EDGES = ("unknown", "top", "left", "bottom", "right")
CHANGED, FAILED = 1, 2


class Error(Exception):
    """Why a request failed: the sentence of the library; errno is 0 for one that the service refused.

    state: the new state that process() would have returned, or None."""

    def __init__(self, errno, reason, state=None):
        super().__init__(reason)
        self.errno, self.state = errno, state


class _State(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t), ("pose", ctypes.c_int), ("edge", ctypes.c_int), ("natural", ctypes.c_int),
        ("rotation", ctypes.c_int), ("locked", ctypes.c_int), ("locked_to", ctypes.c_int), ("tablet_mode", ctypes.c_int),
        ("held", ctypes.c_int), ("failed", ctypes.c_int), ("reserved", ctypes.c_int), ("sequence", ctypes.c_uint64),
        ("timestamp", ctypes.c_int64), ("backend", ctypes.c_char * 16), ("sensor", ctypes.c_char * 128),
        ("reason", ctypes.c_char * 512), ("hold_reason", ctypes.c_char * 512)]


class _Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("backend", ctypes.c_char_p), ("socket", ctypes.c_char_p)]


class _Hold(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("app_id", ctypes.c_char_p), ("orientations", ctypes.c_char_p),
                ("preferred", ctypes.c_char_p), ("locked", ctypes.c_int), ("reserved", ctypes.c_int)]


# A state with the members of struct orientation_state: names of poses and edges; True, False or None for unknown; texts.
State = collections.namedtuple("State", [name for name, _ in _State._fields_ if name not in ("size", "reserved")])

_library = ctypes.CDLL("liborientation.so.0")
_library.orientation_error.restype = ctypes.c_char_p


def _text(name, value):
    """Return the bytes of a text or path, None without one."""
    data = None if value is None else os.fsencode(value)
    if data and b"\0" in data:
        raise ValueError(f"invalid {name} {value!r}: contains a NUL")
    return data


def _name(names, value):
    """Return the name of a value: a newer library can have others."""
    return names[value] if 0 <= value < len(names) else "unknown"


class Handle:
    """Follows the orientation. The program watches fileno() for reading, and calls process()."""

    def __init__(self, backend=None, socket=None):
        """backend: varlink, sensorproxy, none or auto; socket: the path of the daemon's socket."""
        self._handle = ctypes.c_void_p()
        options = _Options(ctypes.sizeof(_Options), _text("backend", backend), _text("socket", socket))
        result = _library.orientation_open(ctypes.byref(options), ctypes.byref(self._handle))
        if result < 0:
            raise Error(-result, f"cannot follow the orientation: {os.strerror(-result)}")

    def _call(self, name, *arguments):
        if not self._handle:
            raise ValueError("the handle is closed")
        return getattr(_library, f"orientation_{name}")(self._handle, *arguments)

    def _request(self, name, *arguments):
        result = self._call(name, *arguments)
        if result < 0:
            raise Error(-result, self._call("error").decode())

    def fileno(self):
        return self._call("fd")

    def process(self):
        """Do what is possible without waiting. Return the state if it has changed.

        If a requested lock or hold failed, raise Error with this state; the handle continues."""
        events = self._call("process")
        state = self.state() if events & CHANGED else None
        if events & FAILED:
            raise Error(0, self._call("error").decode(), state)
        return state

    def state(self):
        found = _State(ctypes.sizeof(_State))
        self._call("state", ctypes.byref(found))
        values = {name: getattr(found, name) for name in State._fields}
        for name, value in values.items():
            if name in ("pose", "natural"):
                values[name] = _name(POSES, value)
            elif name in ("edge", "locked_to"):
                values[name] = _name(EDGES, value)
            elif name in ("locked", "tablet_mode", "held", "failed"):
                values[name] = {0: False, 1: True}.get(value)
            elif isinstance(value, bytes):
                values[name] = value.decode(errors="replace")
        return State(**values)

    def set_lock(self, locked, edge="unknown"):
        """Request to turn the rotation lock on, at an edge or at the current one, or off."""
        self._request("set_lock", int(locked), EDGES.index(edge) if edge in EDGES else len(EDGES))

    def hold(self, orientations=None, app_id=None, preferred=None, locked=False):
        """Request that the display has one of these orientations, words of orientation(3) as "landscape": a text with commas,
        or a list. None ends the hold."""
        if orientations is not None and not isinstance(orientations, (str, bytes)):
            orientations = ",".join(orientations)
        words = [_text(*each) for each in (("app_id", app_id), ("orientations", orientations), ("preferred", preferred))]
        hold = _Hold(ctypes.sizeof(_Hold), *words, bool(locked))
        self._request("hold", None if orientations is None else ctypes.byref(hold))

    def suspend(self):
        self._call("suspend")

    def resume(self):
        self._call("resume")

    def close(self):
        handle, self._handle = self._handle, ctypes.c_void_p()
        _library.orientation_close(handle)

    __del__ = close


class follow:
    """The states as an iterator, or as an asynchronous one: the current state, then every change."""

    def __init__(self, backend=None, socket=None):
        self._handle = Handle(backend, socket)

    def _take(self):
        """Yield the state if it has changed, then raise the error of a request."""
        failure = None
        try:
            state = self._handle.process()
        except Error as error:
            state, failure = error.state, error
        if state:
            yield state
        if failure:
            raise failure

    def __iter__(self):
        waiter = select.poll()
        waiter.register(self._handle, select.POLLIN)
        while True:
            waiter.poll()
            yield from self._take()

    async def __aiter__(self):
        import asyncio  # several megabytes
        loop = asyncio.get_running_loop()
        while True:
            ready = asyncio.Event()
            # Not watched while the program does something else: the loop would call again and again.
            loop.add_reader(self._handle, ready.set)
            try:
                await ready.wait()
            finally:
                loop.remove_reader(self._handle)
            for state in self._take():
                yield state
