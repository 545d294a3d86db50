//! How the program is linked on Linux with glibc, so that it starts sooner.
//!
//! A program that may be loaded anywhere has its ten thousand pointers set at each start: a hundred pages are read
//! and fifty copied, a fifth of what a small edit costs. Loaded at a fixed place it starts at once. Libraries, stack
//! and heap stand at random places all the same, and nothing in the crate goes through a raw pointer.
//!
//! The standard library asks for `libgcc_s.so`, of which a program that aborts on a panic needs next to nothing; to
//! load it costs a tenth of a small edit. Where the compiler has the same code as an archive, that is linked instead,
//! as `-static-libgcc` would have it if the standard library did not name the library itself.
//!
//! A linker that writes through a mapping leaves the program in memory by single pages, and until it is read from the
//! disk again each start maps them one by one: a quarter of a small edit. One that can write in pieces is told to.

#![allow(clippy::print_stdout, reason = "that is how cargo is told")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const IN_PIECES: &str = "-Wl,--no-mmap-output-file";

fn main() {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
        // For another machine than this one, another compiler links.
        if env::var("HOST") == env::var("TARGET") {
            if let Some(folder) = unwinder_as_archive() {
                println!("cargo::rustc-link-arg-bins=-L{}", folder.display());
            }
            if is_known(IN_PIECES) {
                println!("cargo::rustc-link-arg-bins={IN_PIECES}");
            }
        }
    }
    println!("cargo::rerun-if-changed=src/build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
}

/// A folder in which a linker that looks for `libgcc_s.so` finds a script that names the archives.
fn unwinder_as_archive() -> Option<PathBuf> {
    let archives = ["libgcc_eh.a", "libgcc.a"].map(archive);
    let [Some(unwinder), Some(helpers)] = archives else { return None };
    let folder = Path::new(&env::var_os("OUT_DIR")?).join("link");
    fs::create_dir_all(&folder).ok()?;
    fs::write(folder.join("libgcc_s.so"), format!("GROUP ( \"{unwinder}\" \"{helpers}\" )\n")).ok()?;
    Some(folder)
}

/// Where the compiler has one of its archives; of one that it lacks, it says the bare name.
fn archive(name: &str) -> Option<String> {
    let compiler = env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let said = Command::new(compiler).arg(format!("-print-file-name={name}")).output().ok()?;
    let path = String::from_utf8(said.stdout).ok()?.trim_end().to_owned();
    (Path::new(&path).is_absolute() && !path.contains('"')).then_some(path)
}

/// Whether the linker takes an argument: which linker it is, only a link tells.
fn is_known(argument: &str) -> bool {
    let (Some(rustc), Some(folder)) = (env::var_os("RUSTC"), env::var_os("OUT_DIR")) else { return false };
    let source = Path::new(&folder).join("probe.rs");
    if fs::write(&source, "fn main() {}\n").is_err() {
        return false;
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let linker = env::var("RUSTC_LINKER").map(|linker| format!("-Clinker={linker}"));
    let mut probe = Command::new(rustc);
    probe.args(flags.split('\x1f').filter(|flag| !flag.is_empty())).args(linker.ok());
    probe.arg(format!("-Clink-arg={argument}")).arg("-o").arg(source.with_extension("")).arg(&source);
    probe.stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().is_ok_and(|status| status.success())
}
