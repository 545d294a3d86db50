//! The shell command that an envelope stands in: `apply_patch <<'EOF'`, `cat <<EOF | apply_patch`.

/// A heredoc around an envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrapper<'i> {
    /// The line that ends the heredoc.
    pub tag: &'i [u8],
    pub folder: Folder<'i>,
}

/// Where the command is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Folder<'i> {
    Here,
    /// `cd DIR &&` with a plain word.
    In(&'i [u8]),
    /// A `cd` that only a shell understands.
    Unclear,
}

impl<'i> Wrapper<'i> {
    /// Reads the line that opens a heredoc for `apply_patch` or `cat`.
    pub fn parse(line: &'i [u8]) -> Option<Wrapper<'i>> {
        let line = line.trim_ascii();
        let at = memchr::memmem::find(line, b"<<")?;
        let (tag, rest) = tag(&line[at + 2..])?;
        let rest = rest.trim_ascii();
        if !(rest.is_empty() || rest.starts_with(b"|") || rest.starts_with(b">")) {
            return None;
        }
        Some(Wrapper { tag, folder: folder(line[..at].trim_ascii())? })
    }
}

/// The heredoc's tag, quoted or not, and what follows it.
fn tag(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = rest.strip_prefix(b"-").unwrap_or(rest).trim_ascii_start();
    let (quote, rest) = match rest.first()? {
        quote @ (b'\'' | b'"') => (Some(quote), &rest[1..]),
        _ => (None, rest),
    };
    let end = rest.iter().position(|&b| !(b.is_ascii_alphanumeric() || b == b'_')).unwrap_or(rest.len());
    let (word, rest) = rest.split_at(end);
    let rest = if quote.is_some() { rest.strip_prefix(&[*quote?][..])? } else { rest };
    (!word.is_empty()).then_some((word, rest))
}

/// What the command before `<<` says about the folder; `None` if it is another command.
fn folder(command: &[u8]) -> Option<Folder<'_>> {
    let command = command.strip_prefix(b"$ ").unwrap_or(command);
    let shells: [&[u8]; 6] =
        [b"bash -lc \"", b"bash -lc '", b"bash -c \"", b"bash -c '", b"sh -c \"", b"sh -c '"];
    let command = shells.iter().find_map(|shell| command.strip_prefix(*shell)).unwrap_or(command);
    if is_tool(command) {
        return Some(Folder::Here);
    }
    let inside = command.strip_prefix(b"cd ")?;
    let Some(at) = memchr::memmem::find(inside, b"&&") else { return Some(Folder::Unclear) };
    let (folder, tool) = (inside[..at].trim_ascii(), inside[at + 2..].trim_ascii());
    let folder = match folder {
        [b'\'', inner @ .., b'\''] | [b'"', inner @ .., b'"'] => inner,
        word => word,
    };
    Some(match is_tool(tool) && is_plain(folder) {
        true if matches!(folder, b"." | b"./") => Folder::Here,
        true => Folder::In(folder),
        false => Folder::Unclear,
    })
}

fn is_tool(command: &[u8]) -> bool {
    matches!(command, b"" | b"cat" | b"apply_patch" | b"applypatch")
}

/// A path that means the same to a shell and to us.
fn is_plain(folder: &[u8]) -> bool {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'.' | b'_' | b'-' | b'+');
    !folder.is_empty() && !folder.starts_with(b"-") && folder.iter().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrappers() {
        let here =
            |line: &str| Wrapper::parse(line.as_bytes()).map(|w| (w.tag.to_vec(), w.folder == Folder::Here));
        let lines = [
            "<<'PATCH'",
            "<<PATCH",
            "apply_patch <<\"PATCH\"",
            "cat <<'PATCH' | apply_patch",
            "$ apply_patch << PATCH",
            "bash -lc \"apply_patch <<'PATCH'",
            "cd . && apply_patch <<-PATCH",
        ];
        for line in lines {
            assert_eq!(here(line), Some((b"PATCH".to_vec(), true)), "{line}");
        }
        for line in ["x <<'EOF'", "std::cout << x;", "<<<<<<< SEARCH", "a << 'EOF' b", "<<'EOF"] {
            assert_eq!(here(line), None, "{line}");
        }
    }

    #[test]
    fn folders() {
        let folder = |line: &'static str| Wrapper::parse(line.as_bytes()).map(|w| w.folder);
        assert_eq!(folder("cd src/x && apply_patch <<'EOF'"), Some(Folder::In(b"src/x")));
        assert_eq!(folder("cd 'src' && apply_patch <<'EOF'"), Some(Folder::In(b"src")));
        assert_eq!(folder("cd $HOME && apply_patch <<'EOF'"), Some(Folder::Unclear));
        assert_eq!(folder("cd a; apply_patch <<'EOF'"), Some(Folder::Unclear));
        assert_eq!(folder("cd a && cd b && apply_patch <<'EOF'"), Some(Folder::Unclear));
    }
}
