//! Word lists that tell a path from a sentence.

use super::extension;

/// File extensions that are seen in projects.
const EXTENSIONS: &str = "adb adoc ads asm astro avsc awk bash bat bazel bib bzl c cc cfg cjs clj cljc cljs cls cmake cmd \
    coffee conf config cpp cr cs csproj css csv cts cu cxx d dart diff ejs el elm env erb erl ex \
    exs f90 fish fs fsx gd gemspec gleam glsl go gql gradle graphql groovy h haml hbs hcl hh hpp \
    hrl hs htm html hxx in ini ino ipynb java jinja jinja2 jl js json json5 jsonc jsonl jsp jsx kt \
    kts less lhs lisp lock lua m mak markdown md mdx mjs mk ml mli mm mod mts nim nix org pas patch \
    php pl plist pm po pom prisma properties proto ps1 psm1 pug py pyi pyx r rake rb rbi rkt rmd rs \
    rst ru s sass sbt scala scm scss sh sln sol sql styl sum sv svelte svg swift t tcl template tex \
    tf tfvars thrift toml ts tsv tsx txt v vb vue wat xml yaml yml zig zsh";

/// An extension that files in projects have.
pub fn known_extension(ext: &[u8]) -> bool {
    EXTENSIONS.split(' ').any(|known| ext.eq_ignore_ascii_case(known.as_bytes()))
}

/// Files that are known by a name without an extension.
pub fn is_bare_name(base: &[u8]) -> bool {
    const NAMES: [&[u8]; 26] = [
        b"Makefile",
        b"makefile",
        b"GNUmakefile",
        b"Dockerfile",
        b"Containerfile",
        b"Gemfile",
        b"Rakefile",
        b"Procfile",
        b"Jenkinsfile",
        b"Vagrantfile",
        b"Brewfile",
        b"Justfile",
        b"justfile",
        b"Pipfile",
        b"Podfile",
        b"Fastfile",
        b"Caddyfile",
        b"Cargo.lock",
        b"LICENSE",
        b"LICENCE",
        b"COPYING",
        b"README",
        b"CHANGELOG",
        b"CODEOWNERS",
        b"AUTHORS",
        b"BUILD",
    ];
    NAMES.contains(&base)
}

/// Products that are spelled like files.
pub fn is_product(word: &[u8]) -> bool {
    const STEMS: &str = "node next vue react express three d3 nuxt ember angular chart backbone alpine p5 discord moment \
    knockout socket solid nest";
    let lower = word.to_ascii_lowercase();
    if lower == b"asp.net" || lower == b"vb.net" || lower == b"socket.io" {
        return true;
    }
    let Some(stem) = lower.strip_suffix(b".js") else { return false };
    extension(&lower).is_some() && STEMS.split(' ').any(|known| known.as_bytes() == stem)
}

/// A word that stands alone above a fence and says what it holds.
pub fn is_caption(word: &[u8]) -> bool {
    const WORDS: &str = "actual answer args body build changes class command commands comparison configuration console content \
        contents csharp default description dockerfile error errors expected explanation function haskell help \
        input install installation javascript json kotlin layout logs makefile method model none notes null ok or \
        otherwise output overview perl plaintext powershell prompt proto request response result results returns \
        rust schema script server setup shell snippet solution source steps structure style summary swift terminal \
        tests text today todo trace true false type types typescript usage version warning whole yes";
    WORDS.split(' ').any(|known| known.as_bytes() == word)
}

/// The name of a program: what follows it is a command's.
pub fn is_command(word: &[u8]) -> bool {
    const WORDS: &str = "awk bash bun cargo cat cd chmod code cp curl deno diff docker echo gcc git go grep g++ head \
    java javac less ls make mkdir mv nano node npm npx open perl php pip pytest python python3 rm ruby rustc \
    sed sh source sudo tail touch tsc uv vi vim wget";
    WORDS.split(' ').any(|known| known.as_bytes() == word)
}

/// A word that makes a line a sentence or a command rather than a path with blanks.
pub fn is_sentence_word(word: &[u8]) -> bool {
    const WORDS: &str = "a add added all also an and apply are as at bash be both bun by call cargo cat cd change \
    changed changes chmod code cp create created curl delete docker edit example file files final \
    finally first fix following for from full gcc git go here here's i if import in into is it java \
    let's like make modified modify mv new next node now npm npx of on or our pip pytest python \
    python3 replace rm ruby run see sh so sudo that the then this to update updated use using we \
    with your about after before below above again apply also any are because but can changing check correct corrected current does \
    done edited editing ensure every existing fixed fixes fixing has have how improve improved inside instead its just \
    modifying move moved must no not now old only original open patch previous put refactor refactored remove \
    removed rename renamed replaced replacing revise revised rewrite rewrote rewritten same save show shows some \
    step still such test these they those was were what when where which will within without would write you";
    let plain: Vec<u8> = word
        .iter()
        .filter(|b| b.is_ascii_alphanumeric() || **b == b'\'')
        .map(u8::to_ascii_lowercase)
        .collect();
    word.ends_with(b":") || word.ends_with(b",") || WORDS.split(' ').any(|known| known.as_bytes() == plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_known() {
        assert!(known_extension(b"PY") && known_extension(b"zsh") && !known_extension(b"path"));
        assert!(is_bare_name(b"Makefile") && !is_bare_name(b"Make"));
        assert!(is_product(b"Node.js") && !is_product(b"main.js"));
        assert!(is_sentence_word(b"Here's") && is_sentence_word(b"x:") && !is_sentence_word(b"docs"));
    }
}
