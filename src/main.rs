//! The `hyperft` program. See `hyperft --help`; everything is in the library.

fn main() -> std::process::ExitCode {
    hyperft::commands::run().code()
}
