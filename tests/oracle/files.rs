//! Invented files in several languages, with near-twins of their own parts planted in them.

use super::rng::Rng;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Python,
    C,
    Script,
    Markdown,
    Yaml,
    Text,
}

impl Language {
    pub const ALL: [Language; 6] =
        [Language::Python, Language::C, Language::Script, Language::Markdown, Language::Yaml, Language::Text];

    pub fn extension(self) -> &'static str {
        match self {
            Language::Python => "py",
            Language::C => "c",
            Language::Script => "js",
            Language::Markdown => "md",
            Language::Yaml => "yaml",
            Language::Text => "txt",
        }
    }

    /// The word on a fence.
    pub fn fence(self) -> &'static str {
        match self {
            Language::Python => "python",
            Language::Script => "javascript",
            Language::Markdown => "markdown",
            other => other.extension(),
        }
    }

    /// What a comment begins and ends with.
    pub fn comment(self) -> Option<(&'static str, &'static str)> {
        match self {
            Language::Python | Language::Yaml => Some(("# ", "")),
            Language::C | Language::Script => Some(("// ", "")),
            Language::Markdown => Some(("<!-- ", " -->")),
            Language::Text => None,
        }
    }

    /// One step of indentation.
    pub fn unit(self) -> &'static str {
        match self {
            Language::C => "\t",
            Language::Python => "    ",
            _ => "  ",
        }
    }
}

const WORDS: [&str; 32] = [
    "account", "batch", "cache", "device", "entry", "filter", "group", "handle", "index", "job", "key",
    "label", "message", "node", "order", "packet", "queue", "record", "sample", "ticket", "user", "value",
    "window", "worker", "open", "close", "read", "write", "start", "stop", "merge", "split",
];

/// A word of the small vocabulary, so that lines repeat.
pub fn word(rng: &mut Rng) -> &'static str {
    WORDS[rng.below(WORDS.len())]
}

fn name(rng: &mut Rng) -> String {
    format!("{}_{}", word(rng), word(rng))
}

/// A file's lines.
pub fn lines(rng: &mut Rng, language: Language) -> Vec<String> {
    let mut blocks: Vec<Vec<String>> = Vec::new();
    for _ in 0..rng.range(3, 7) {
        let block = block(rng, language);
        if rng.chance(45) {
            blocks.push(twin(rng, &block, language));
        }
        blocks.push(block);
    }
    rng.shuffle(&mut blocks);
    let mut out = head(rng, language);
    for block in blocks {
        if !out.is_empty() {
            let gap = if language == Language::Python { 2 } else { 1 };
            out.extend(std::iter::repeat_n(String::new(), gap));
        }
        out.extend(block);
    }
    out
}

fn head(rng: &mut Rng, language: Language) -> Vec<String> {
    let mut out = Vec::new();
    match language {
        Language::Python => {
            out.push(format!("import {}", word(rng)));
            out.push(String::new());
            for _ in 0..rng.range(1, 5) {
                out.push(format!("{} = {}", name(rng).to_uppercase(), rng.below(900)));
            }
        }
        Language::C => {
            out.push(format!("#include <{}.h>", word(rng)));
            out.push(format!("#define {} {}", name(rng).to_uppercase(), rng.below(900)));
        }
        Language::Script => out.push(format!("import {{ {} }} from \"./{}\";", word(rng), word(rng))),
        Language::Markdown => out.push(format!("# The {} of the {}", word(rng), word(rng))),
        Language::Yaml => out.push(format!("version: {}", rng.below(9))),
        Language::Text => {}
    }
    out
}

fn block(rng: &mut Rng, language: Language) -> Vec<String> {
    match language {
        Language::Python | Language::C | Language::Script => code(rng, language),
        Language::Markdown => markdown(rng),
        Language::Yaml => yaml(rng),
        Language::Text => (0..rng.range(2, 6)).map(|_| sentence(rng)).collect(),
    }
}

/// A function, or a class of some.
fn code(rng: &mut Rng, language: Language) -> Vec<String> {
    if rng.chance(70) {
        return function(rng, language, 0);
    }
    let braces = language != Language::Python;
    let mut out = vec![format!("class {}{}", word(rng), if braces { " {" } else { ":" })];
    let count = rng.range(1, 3);
    for at in 0..count {
        out.extend(function(rng, language, 1));
        if at + 1 < count {
            out.push(String::new());
        }
    }
    if braces {
        out.push("}".into());
    }
    out
}

fn function(rng: &mut Rng, language: Language, depth: usize) -> Vec<String> {
    let pad = |depth: usize| language.unit().repeat(depth);
    let head = match language {
        Language::Python => format!("def {}({}, {}):", name(rng), word(rng), word(rng)),
        Language::C => format!("int {}(int {}, int {}) {{", name(rng), word(rng), word(rng)),
        _ => format!("function {}({}, {}) {{", name(rng), word(rng), word(rng)),
    };
    let mut out = vec![pad(depth) + &head];
    for _ in 0..rng.range(2, 5) {
        if rng.chance(25) {
            let (open, close) = if language == Language::Python { (":", None) } else { (") {", Some("}")) };
            let left = if language == Language::Python { "if " } else { "if (" };
            out.push(format!("{}{left}{} > {}{open}", pad(depth + 1), word(rng), rng.below(60)));
            for _ in 0..rng.range(1, 3) {
                out.push(pad(depth + 2) + &statement(rng, language));
            }
            out.extend(close.map(|close| pad(depth + 1) + close));
        } else if rng.chance(8) {
            out.push(String::new());
        } else {
            out.push(pad(depth + 1) + &statement(rng, language));
        }
    }
    let end = if language == Language::Python { "" } else { ";" };
    out.push(format!("{}return {} + {}{end}", pad(depth + 1), word(rng), rng.below(9)));
    out.extend((language != Language::Python).then(|| pad(depth) + "}"));
    out
}

/// One statement, without indentation.
pub fn statement(rng: &mut Rng, language: Language) -> String {
    let end = if language == Language::Python { "" } else { ";" };
    match rng.below(7) {
        0 => format!("{} = {}({}, {}){end}", word(rng), name(rng), word(rng), rng.below(99)),
        1 => format!("{} += {}{end}", word(rng), rng.below(9)),
        2 => format!("log(\"{} - {}, {}\"){end}", word(rng), word(rng), word(rng)),
        3 => format!("{} = {} * {}{end}", word(rng), word(rng), word(rng)),
        4 => format!("{}({}, '{}'){end}", name(rng), word(rng), word(rng)),
        5 => format!("{} = {}[{}] < {}{end}", word(rng), word(rng), rng.below(9), word(rng)),
        _ => {
            let (left, right) = language.comment().unwrap_or_default();
            format!("{left}the {} of a {} is {}{right}", word(rng), word(rng), word(rng))
        }
    }
}

fn sentence(rng: &mut Rng) -> String {
    format!(
        "The {} {}s the {}, then the {} of {}.",
        word(rng),
        word(rng),
        word(rng),
        word(rng),
        rng.below(99)
    )
}

fn markdown(rng: &mut Rng) -> Vec<String> {
    let mut out = vec![format!("## {} and {}", word(rng), word(rng)), String::new()];
    match rng.below(4) {
        0 => out.extend(
            (0..rng.range(2, 5)).map(|_| format!("- `{}`: the {} to {}", name(rng), word(rng), word(rng))),
        ),
        1 => {
            out.extend(["| setting | value |".into(), "| --- | --- |".into()]);
            out.extend((0..rng.range(2, 5)).map(|_| format!("| `{}` | {} |", name(rng), rng.below(999))));
        }
        2 => {
            out.push("```python".into());
            out.extend(function(rng, Language::Python, 0));
            out.push("```".into());
        }
        _ => out.extend((0..rng.range(1, 4)).map(|_| sentence(rng))),
    }
    out
}

fn yaml(rng: &mut Rng) -> Vec<String> {
    let mut out = vec![format!("{}:", name(rng))];
    for _ in 0..rng.range(1, 3) {
        out.push(format!("  {}:", word(rng)));
        for _ in 0..rng.range(1, 4) {
            out.push(format!("    {}: {}", word(rng), rng.below(99)));
        }
        if rng.chance(50) {
            out.push(format!("    {}s:", word(rng)));
            out.extend((0..rng.range(1, 3)).map(|_| format!("      - {}", name(rng))));
        }
    }
    out
}

/// A copy of a block with up to three words changed, sometimes one level deeper or shallower.
fn twin(rng: &mut Rng, block: &[String], language: Language) -> Vec<String> {
    let mut out = block.to_vec();
    for _ in 0..rng.below(4) {
        let at = rng.below(out.len());
        out[at] = reworded(rng, &out[at]).unwrap_or_else(|| out[at].clone());
    }
    if rng.chance(20) && matches!(language, Language::Python | Language::C | Language::Script) {
        let unit = language.unit();
        out.iter_mut().filter(|line| !line.is_empty()).for_each(|line| line.insert_str(0, unit));
    }
    out
}

/// The line with another word or number in it.
pub fn reworded(rng: &mut Rng, line: &str) -> Option<String> {
    let spans = words(line);
    let &(start, end) = spans.get(rng.below(spans.len().max(1)))?;
    let old = &line[start..end];
    let new = match old.parse::<u64>() {
        Ok(number) => (number + 1 + rng.below(5) as u64).to_string(),
        Err(_) => word(rng).to_owned(),
    };
    (new != old).then(|| format!("{}{new}{}", &line[..start], &line[end..]))
}

/// Where the words of the vocabulary and the numbers stand in a line.
pub fn words(line: &str) -> Vec<(usize, usize)> {
    let bytes = line.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = at + bytes[at..].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        let text = &line[at..end.max(at)];
        if WORDS.contains(&text) || (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())) {
            out.push((at, end));
        }
        at = end.max(at + 1);
    }
    out
}
