//! Tells the program which build it is: commit, compiler and the version of wgpu, for reports that
//! have to be traced back. Whatever is not known is not set, and the program says so.
//!
//! The commit is looked up for release builds only: it would make every commit rebuild everything, and
//! figures of other builds are worth nothing.

use std::path::Path;
use std::process::Command;

fn main() {
    watch("build.rs");
    set("HYPERFT_RUSTC", rustc_version());
    set("HYPERFT_TARGET", std::env::var("TARGET").ok());
    tell_vectors();
    if !is_checkout() {
        return;
    }
    // Elsewhere the lock file need not be what was built.
    watch("Cargo.lock");
    set("HYPERFT_WGPU", locked_version("wgpu"));
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        // Whether the build is of the commit or of something since: all that goes into it.
        ["src", "shaders", "testdata", "Cargo.toml"]
            .into_iter()
            .for_each(watch);
        // Both change with every commit and checkout.
        for path in ["HEAD", "logs/HEAD"] {
            if let Some(path) = git(&["rev-parse", "--git-path", path]) {
                watch(&path);
            }
        }
        set("HYPERFT_COMMIT", git(&["rev-parse", "HEAD"]));
        // Without the optional lock this does not touch the index that others watch.
        let tracked = ["--no-optional-locks", "status", "--porcelain", "-uno"];
        let changed = git_output(&tracked).map(|files| !files.is_empty());
        set(
            "HYPERFT_MODIFIED",
            changed.map(|changed| changed.to_string()),
        );
    }
}

/// Sets `has_avx2` and `has_avx512` if this machine has what those kernels need: tests of a kernel that
/// cannot run here show as ignored. Programs ask the processor they run on.
fn tell_vectors() {
    println!("cargo::rustc-check-cfg=cfg(has_avx2, has_avx512)");
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx2") {
            println!("cargo::rustc-cfg=has_avx2");
        }
        if is_x86_feature_detected!("avx512vpopcntdq") && is_x86_feature_detected!("avx512bw") {
            println!("cargo::rustc-cfg=has_avx512");
        }
    }
}

fn set(name: &str, value: Option<String>) {
    if let Some(value) = value {
        println!("cargo::rustc-env={name}={value}");
    }
}

/// Runs this script again when the file changes. One that does not exist would count as changed
/// every time.
fn watch(path: &str) {
    if Path::new(path).exists() {
        println!("cargo::rerun-if-changed={path}");
    }
}

/// Whether this folder is the top of a git checkout: a released archive may have been unpacked in a
/// checkout of something else.
fn is_checkout() -> bool {
    let here = std::env::var("CARGO_MANIFEST_DIR").map(|path| Path::new(&path).canonicalize());
    let top = git(&["rev-parse", "--show-toplevel"]).map(|path| Path::new(&path).canonicalize());
    matches!((here, top), (Ok(Ok(here)), Some(Ok(top))) if here == top)
}

/// One line of output of git; `None` if there is no git, no repository or no output.
fn git(arguments: &[&str]) -> Option<String> {
    git_output(arguments).filter(|line| !line.is_empty())
}

fn git_output(arguments: &[&str]) -> Option<String> {
    output(Command::new("git").args(arguments))
}

/// As `rustc --version` prints it.
fn rustc_version() -> Option<String> {
    output(Command::new(std::env::var_os("RUSTC")?).arg("--version"))
}

fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|it| it.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_string())
}

/// The version of a package in the lock file.
fn locked_version(package: &str) -> Option<String> {
    let lock = std::fs::read_to_string("Cargo.lock").ok()?;
    let start = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != start);
    let version = lines.nth(1)?.strip_prefix("version = \"")?;
    Some(version.strip_suffix('"')?.to_string())
}
