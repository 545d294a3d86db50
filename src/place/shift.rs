//! Whether quoted lines stand in the file under one change of indentation.

use crate::text::indent::indent;

/// Pairs (quoted, file) of lines that are not blank are one uniform shift: one prefix added, one prefix
/// cut, or units converted at one level shift.
pub(crate) fn uniform<'l>(pairs: impl Iterator<Item = (&'l [u8], &'l [u8])> + Clone) -> bool {
    let indents = pairs.map(|(quoted, file)| (indent(quoted), indent(file)));
    added(indents.clone())
        || added(indents.clone().map(|(quoted, file)| (file, quoted)))
        || converted(indents)
}

/// Every second indentation is one prefix and the first.
fn added<'l>(mut pairs: impl Iterator<Item = (&'l [u8], &'l [u8])>) -> bool {
    let mut prefix: Option<&[u8]> = None;
    pairs.all(|(short, long)| {
        long.strip_suffix(short).is_some_and(|rest| *prefix.get_or_insert(rest) == rest)
            || long.strip_prefix(short).is_some_and(|rest| *prefix.get_or_insert(rest) == rest)
    })
}

/// An indentation in its own character: how many, and is it tabs.
fn measure(indent: &[u8]) -> Option<(i64, Option<bool>)> {
    let first = indent.first().copied();
    indent
        .iter()
        .all(|b| Some(*b) == first)
        .then(|| (i64::try_from(indent.len()).unwrap_or(i64::MAX), first.map(|b| b == b'\t')))
}

/// One side's unit is another than the other's, and every level moves by the same number: the widths
/// stand on one rising line. Between spaces and spaces that line must pass through zero, since any two
/// points lie on some line.
fn converted<'l>(pairs: impl Iterator<Item = (&'l [u8], &'l [u8])>) -> bool {
    let (mut points, mut kinds) = (Vec::new(), [None, None]);
    for (quoted, file) in pairs {
        let (Some((q, q_tabs)), Some((f, f_tabs))) = (measure(quoted), measure(file)) else { return false };
        for (kind, seen) in kinds.iter_mut().zip([q_tabs, f_tabs]) {
            if seen.is_some() && *kind.get_or_insert(seen) != seen {
                return false;
            }
        }
        if !points.contains(&(q, f)) {
            points.push((q, f));
        }
        if points.len() > 64 {
            return false;
        }
    }
    points.sort_unstable();
    let (Some(&(q0, f0)), Some(&(q1, f1))) = (points.first(), points.last()) else { return true };
    if points.len() == 1 {
        let differ = kinds[0].flatten().is_some() && kinds[1].flatten().is_some() && kinds[0] != kinds[1];
        return differ || f0 == 0 || q0 == 0;
    }
    let from_zero = kinds[0].flatten() != kinds[1].flatten() || q0 * f1 == q1 * f0;
    from_zero
        && q1 > q0
        && f1 > f0
        && points.iter().all(|&(q, f)| (f - f0) * (q1 - q0) == (q - q0) * (f1 - f0))
        && points.windows(2).all(|two| two[0].0 < two[1].0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pairs: &[(&str, &str)]) -> bool {
        uniform(pairs.iter().map(|(q, f)| (q.as_bytes(), f.as_bytes())))
    }

    #[test]
    fn prefixes() {
        assert!(check(&[("a", "    a"), ("  b", "      b")]));
        assert!(check(&[("    a", "a"), ("      b", "  b")]));
        assert!(!check(&[("a", "    a"), ("b", "  b")]));
        assert!(!check(&[("a", "    a"), ("    b", "    b")]));
    }

    #[test]
    fn units() {
        assert!(check(&[("    a", "\ta"), ("        b", "\t\tb")]));
        assert!(check(&[("    a", "\t\ta"), ("        b", "\t\t\tb")]));
        assert!(check(&[("  a", "    a"), ("    b", "        b")]));
        assert!(!check(&[("    a", "\ta"), ("        b", "\tb")]));
        assert!(!check(&[("    a", "\t a"), ("        b", "\t\tb")]));
        assert!(!check(&[("a", "    a"), ("        b", "        b")]));
    }

    #[test]
    fn a_single_line_may_change_its_unit() {
        assert!(check(&[("    a", "\ta")]));
    }
}
