//! How the program is linked on Linux with glibc, so that it starts sooner.
//!
//! A program that may be loaded anywhere has its ten thousand pointers set at each start: a hundred pages are read
//! and fifty copied, a fifth of what a small edit costs. Loaded at a fixed place it starts at once. Libraries, stack
//! and heap stand at random places all the same, and nothing in the crate goes through a raw pointer.
//!
//! The standard library asks for `libgcc_s.so`, of which a program that aborts on a panic needs next to nothing; to
//! load it costs a tenth of a small edit. Where the compiler has the same code as an archive, that is linked instead,
//! as `-static-libgcc` would have it if the standard library did not name the library itself.

#![allow(clippy::print_stdout, reason = "that is how cargo is told")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

fn main() {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
        // For another machine than this one, another compiler links.
        if env::var("HOST") == env::var("TARGET")
            && let Some(folder) = unwinder_as_archive()
        {
            println!("cargo::rustc-link-arg-bins=-L{}", folder.display());
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
