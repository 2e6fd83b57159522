// SPDX-License-Identifier: Apache-2.0
// Follow the orientation in Rust: rustc follow.rs -lorientation && ./follow
//
// The declarations are those of orientation.h, for 64 bits, which stay the same; see orientation(3).
use std::ffi::CStr;
use std::os::raw::{c_char, c_int, c_short, c_uint, c_ulong, c_void};

#[repr(C)]
struct State {
    size: usize,
    pose: c_uint,
    edge: c_uint,
    natural: c_uint,
    rotation: c_int,
    locked: c_int,
    locked_to: c_uint,
    tablet_mode: c_int,
    held: c_int,
    failed: c_int,
    reserved: c_int,
    sequence: u64,
    timestamp: i64,
    backend: [c_char; 16],
    sensor: [c_char; 128],
    reason: [c_char; 512],
    hold_reason: [c_char; 512],
}

#[repr(C)]
struct PollFile(c_int, c_short, c_short);

extern "C" {
    fn orientation_open(options: *const c_void, result: *mut *mut c_void) -> c_int;
    fn orientation_fd(handle: *const c_void) -> c_int;
    fn orientation_process(handle: *mut c_void) -> c_uint;
    fn orientation_state(handle: *const c_void, state: *mut State) -> c_int;
    fn orientation_edge_name(edge: c_uint) -> *const c_char;
    fn poll(files: *mut PollFile, count: c_ulong, timeout: c_int) -> c_int;
}

fn main() {
    let mut handle = std::ptr::null_mut();
    let error = unsafe { orientation_open(std::ptr::null(), &mut handle) };
    assert!(error == 0, "follow: {}", std::io::Error::from_raw_os_error(-error));
    let mut file = PollFile(unsafe { orientation_fd(handle) }, 1, 0);
    loop {
        unsafe { poll(&mut file, 1, -1) };
        if unsafe { orientation_process(handle) } & 1 == 0 { continue; }
        let mut state: State = unsafe { std::mem::zeroed() };
        state.size = std::mem::size_of::<State>();
        unsafe { orientation_state(handle, &mut state) };
        let text = |start| unsafe { CStr::from_ptr(start) }.to_string_lossy();
        if state.rotation < 0 { println!("unknown: {}", text(state.reason.as_ptr())); continue; }
        let edge = text(unsafe { orientation_edge_name(state.edge) });
        println!("{edge} edge up, picture rotated by {} degrees", state.rotation);
    }
}
