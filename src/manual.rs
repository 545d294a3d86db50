//! The manual and the completion scripts, as they are committed and installed.

/// A page of the manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    pub name: &'static str,
    pub section: u8,
    /// In the language of `man`.
    pub text: &'static str,
}

/// A completion script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Script {
    pub shell: &'static str,
    /// Where it belongs below a prefix.
    pub place: &'static str,
    pub text: &'static str,
}

macro_rules! pages {
    ($($name:literal $section:literal),* $(,)?) => {
        [$(Page {
            name: $name,
            section: $section,
            text: include_str!(concat!("../man/", $name, ".", $section)),
        }),*]
    };
}

/// Every page.
pub const PAGES: [Page; 20] = pages![
    "edapply" 1,
    "edapply-bench" 1,
    "edapply-choose" 1,
    "edapply-codes" 7,
    "edapply-completions" 1,
    "edapply-convert" 1,
    "edapply-cost" 1,
    "edapply-explain" 1,
    "edapply-git-apply" 1,
    "edapply-inspect" 1,
    "edapply-install" 1,
    "edapply-log" 1,
    "edapply-man" 1,
    "edapply-patch" 1,
    "edapply-prompt" 1,
    "edapply-read" 1,
    "edapply-recover" 1,
    "edapply-schema" 1,
    "edapply-undo" 1,
    // `git edapply --help` looks for it.
    "git-edapply" 1,
];

macro_rules! scripts {
    ($($shell:literal $file:literal $place:literal),* $(,)?) => {
        [$(Script {
            shell: $shell,
            place: concat!("share/", $place, "/", $file),
            text: include_str!(concat!("../completions/", $file)),
        }),*]
    };
}

/// Every completion script.
pub const SCRIPTS: [Script; 5] = scripts![
    "bash" "edapply.bash" "bash-completion/completions",
    "zsh" "_edapply" "zsh/site-functions",
    "fish" "edapply.fish" "fish/vendor_completions.d",
    "powershell" "_edapply.ps1" "edapply",
    "elvish" "edapply.elv" "edapply",
];

/// The page of a name, or of a subcommand's.
pub fn page(name: &str) -> Option<&'static Page> {
    let full = format!("edapply-{name}");
    PAGES.iter().find(|page| page.name == name || page.name == full)
}

/// The script of a shell.
pub fn completions(shell: &str) -> Option<&'static Script> {
    SCRIPTS.iter().find(|script| script.shell == shell)
}
