//! The picture of a session in the README is made from a real run in a terminal, so that it stays true.
//! After a change of what is said, `EDAPPLY_WRITE=1 cargo test --test cli picture` makes it anew.

use std::path::Path;

use crate::{
    terminal::start,
    world::{World, block},
};

const COLUMNS: u16 = 92;

/// The lines as a terminal breaks them.
fn wrapped(text: &str) -> String {
    let (mut out, mut column, mut is_code) = (String::new(), 0, false);
    for c in text.chars() {
        is_code |= c == '\x1b';
        if c == '\n' {
            column = 0;
        } else if !is_code {
            if column == COLUMNS {
                out.push('\n');
                column = 0;
            }
            column += 1;
        }
        out.push(c);
        is_code &= c != 'm';
    }
    out
}

#[test]
fn the_picture_is_current() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/demo/src/till.py");
    let w = World::new(&[("src/till.py", &std::fs::read_to_string(demo).expect("a file"))]);
    let fix = block(
        "src/till.py",
        "for item in items:\n    acc += item.price\nreturn acc\n",
        "for item in items:\n    acc += item.price * item.count\nreturn acc\n",
    );
    let stale = block(
        "src/till.py",
        "    with open(argv[0]) as file:\n        items = read_basket(file)\n",
        "    with open(argv[1], encoding=\"utf-8\") as file:\n        items = read_basket(file)\n",
    );
    w.put("fix.md", fix.as_bytes());
    w.put("stale.md", stale.as_bytes());
    let mut session = String::new();
    for (args, code) in [(&["--dry-run", "fix.md"][..], 0), (&["fix.md"], 0), (&["stale.md"], 1)] {
        let (found, seen, _) = start(&w, COLUMNS, args, "", &[]).end();
        assert_eq!(found, Some(code), "{seen}");
        session += &format!("\x1b[1m$ edapply {}\x1b[0m\n{}\n", args.join(" "), wrapped(&seen));
    }
    let svg = anstyle_svg::Term::new().render_svg(session.trim_end());
    crate::generated::current("fixtures/session.svg", svg.as_bytes());
}
