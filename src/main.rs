//! Entry: which face was called, and the exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    edapply::cli::main(std::env::args_os().collect()).into()
}
