//! The `hyperft` program. See `hyperft --help`; everything is in the library.

fn main() -> std::process::ExitCode {
    if std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // Mesa sorts Vulkan devices by what a desktop displays on. Without a desktop that part only
        // complains, on standard error, each time that devices are listed.
        // SAFETY: the process has no other thread yet.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
    hyperft::commands::run().code()
}
