//! The program run as its users run it, with input and what it said.

use std::io::Write;
use std::process::{Command, Output, Stdio};

pub struct Ran {
    pub status: i32,
    pub out: String,
    pub err: String,
}

pub fn run_with(arguments: &[&str], input: &[u8]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hyperft"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    // Written beside reading, or both sides wait for each other once pipes are full.
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().expect("it ends");
    writer.join().expect("written");
    let ran = Ran {
        status: status.code().expect("it exits"),
        out: String::from_utf8(stdout).expect("UTF-8"),
        err: String::from_utf8(stderr).expect("UTF-8"),
    };
    assert!(!ran.err.contains("panicked"), "{arguments:?}: {}", ran.err);
    ran
}
