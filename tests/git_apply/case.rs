//! What is tried: files, what becomes of them on both sides, how the difference is written, damaged and applied.

use proptest::{collection::vec, prelude::*, sample::select};

/// What stands under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thing {
    File { runs: bool, bytes: Vec<u8> },
    Link(String),
    Nothing,
}

/// What one side does to a file.
#[derive(Clone, Debug)]
pub enum Fate {
    Stay,
    Remove,
    Move(&'static str),
    /// The file stays and a copy of it comes.
    Copy(&'static str),
    ChangeMode,
    Replace(Thing),
    /// A line is put in, taken out or replaced, at a place.
    Edits(Vec<(usize, u8, String)>),
    MoveAndEdit(&'static str, usize, String),
    /// One byte becomes another, as for binary files.
    Poke(usize, u8),
    /// The lines end in CR LF.
    Crlf,
}

pub type Side = Vec<Fate>;

/// Where the command is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    Top,
    Folder,
    /// No repository is found.
    Nowhere,
}

#[derive(Clone, Debug)]
pub struct Case {
    pub base: Vec<(&'static str, Thing)>,
    /// What the patch does.
    pub theirs: Side,
    /// What happened to the files since.
    pub ours: Side,
    /// The files are as after the patch, rather than before.
    pub after: bool,
    /// Changes that the index does not know.
    pub dirty: Option<(usize, Fate)>,
    /// Objects that only the patch's side has are not in the store.
    pub forget: bool,
    pub diff: Vec<&'static str>,
    pub damage: Vec<(usize, u8)>,
    pub settings: Vec<(&'static str, &'static str)>,
    pub attributes: &'static str,
    pub from: From,
    /// The patch comes as a file.
    pub operand: bool,
    pub args: Vec<&'static str>,
}

pub const NAMES: [&str; 6] = ["f", "d/g", "k l", "d/e/h.c", "\u{fc}\"t", "s"];

fn line() -> impl Strategy<Value = String> {
    let word = select(vec![
        "a",
        "b",
        "foo",
        "{",
        "}",
        "",
        "",
        "\tx",
        " y ",
        "--- q",
        "+++ z",
        "-- ",
        " \tz",
        "        w",
        "x\r",
        "@@ -1 +1 @@",
        "diff --git a/f b/f",
    ]);
    prop_oneof![2 => word.prop_map(str::to_owned), 2 => (0..60_u8).prop_map(|n| n.to_string())]
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    (vec(line(), 0..25), prop::bool::weighted(0.85)).prop_map(|(lines, ended)| {
        let mut text = lines.join("\n").into_bytes();
        if ended && !lines.is_empty() {
            text.push(b'\n');
        }
        text
    })
}

fn binary() -> impl Strategy<Value = Vec<u8>> {
    let short = vec(any::<u8>(), 1..200);
    let long = (any::<u8>(), 500..3000_usize).prop_map(|(seed, size)| {
        (0..size).map(|at| (at / 7 * usize::from(seed | 1)).to_le_bytes()[0]).collect()
    });
    prop_oneof![short, long].prop_map(|bytes: Vec<u8>| [&bytes[..], b"\0"].concat())
}

fn thing() -> impl Strategy<Value = Thing> {
    let bytes = prop_oneof![5 => text(), 1 => binary()];
    let link = select(vec!["f", "d", "../x", "nowhere/at all"]);
    prop_oneof![
        12 => (prop::bool::weighted(0.2), bytes).prop_map(|(runs, bytes)| Thing::File { runs, bytes }),
        1 => link.prop_map(|to| Thing::Link(to.to_owned())),
        2 => Just(Thing::Nothing),
    ]
}

fn fate() -> impl Strategy<Value = Fate> {
    let target = || select(vec!["moved", "d/moved", "n/m/x", "k l", "d", "d/g/z"]);
    let edit = (any::<usize>(), 0..4_u8, line());
    prop_oneof![
        4 => Just(Fate::Stay),
        1 => Just(Fate::Remove),
        1 => target().prop_map(Fate::Move),
        1 => target().prop_map(Fate::Copy),
        1 => Just(Fate::ChangeMode),
        1 => thing().prop_map(Fate::Replace),
        8 => vec(edit, 1..4).prop_map(Fate::Edits),
        1 => (target(), any::<usize>(), line()).prop_map(|(to, at, line)| Fate::MoveAndEdit(to, at, line)),
        1 => (any::<usize>(), any::<u8>()).prop_map(|(at, byte)| Fate::Poke(at, byte)),
        1 => Just(Fate::Crlf),
    ]
}

fn side() -> impl Strategy<Value = Side> {
    vec(fate(), NAMES.len())
}

/// A side that leaves most files alone.
fn calm() -> impl Strategy<Value = Side> {
    let calm = prop_oneof![5 => Just(Fate::Stay), 2 => fate()];
    prop_oneof![3 => Just(vec![Fate::Stay; NAMES.len()]), 2 => vec(calm, NAMES.len())]
}

const OPTIONS: [&[&str]; 44] = [
    &["-v"],
    &["-q"],
    &["--check"],
    &["--stat"],
    &["--numstat"],
    &["--numstat", "-z"],
    &["--summary"],
    &["--stat", "--numstat", "--summary", "--apply"],
    &["--reject"],
    &["-R"],
    &["-R"],
    &["-C1"],
    &["-C0"],
    &["--unidiff-zero"],
    &["--recount"],
    &["--inaccurate-eof"],
    &["--allow-overlap"],
    &["--allow-empty"],
    &["--index"],
    &["--index"],
    &["--cached"],
    &["--cached"],
    &["-3"],
    &["-3"],
    &["-3"],
    &["-3", "--cached"],
    &["-3", "--ours"],
    &["-3", "--theirs"],
    &["-3", "--union"],
    &["--whitespace=fix"],
    &["--whitespace=error"],
    &["--whitespace=error-all"],
    &["--whitespace=warn"],
    &["--whitespace=nowarn"],
    &["--ignore-whitespace"],
    &["--ignore-space-change"],
    &["--no-add"],
    &["-N"],
    &["-p0"],
    &["-p2"],
    &["--directory=d"],
    &["--exclude=d/*"],
    &["--include=*f"],
    &["--build-fake-ancestor=.git/fake"],
];

fn options() -> impl Strategy<Value = Vec<&'static str>> {
    vec(select(OPTIONS.to_vec()), 0..4).prop_map(|chosen| chosen.concat())
}

fn diff() -> impl Strategy<Value = Vec<&'static str>> {
    let one = select(vec![
        "-U0",
        "-U1",
        "-U5",
        "--no-prefix",
        "--full-index",
        "-C",
        "-R",
        "-B",
        "--ignore-space-change",
    ]);
    prop_oneof![3 => Just(Vec::new()), 2 => vec(one, 1..3)]
}

fn settings() -> impl Strategy<Value = Vec<(&'static str, &'static str)>> {
    let one = select(vec![
        ("core.autocrlf", "true"),
        ("core.autocrlf", "input"),
        ("core.whitespace", "cr-at-eol"),
        ("core.whitespace", "tab-in-indent,-blank-at-eof"),
        ("core.whitespace", "indent-with-non-tab,tabwidth=4"),
        ("apply.whitespace", "fix"),
        ("apply.ignorewhitespace", "change"),
        ("core.quotepath", "off"),
        ("core.filemode", "false"),
        ("merge.conflictstyle", "diff3"),
    ]);
    prop_oneof![4 => Just(Vec::new()), 1 => vec(one, 1..3)]
}

fn attributes() -> impl Strategy<Value = &'static str> {
    let some = select(vec![
        "* text eol=crlf\n",
        "* text=auto\n",
        "*.c whitespace=-blank-at-eol\n* whitespace\n",
        "* -whitespace\n",
        "* merge=union\n",
        "* -merge\n",
        "f merge=binary\nd/* conflict-marker-size=10\n",
        "f ident\n* -text\n",
    ]);
    prop_oneof![6 => Just(""), 1 => some]
}

type Calling = (Vec<&'static str>, Vec<(usize, u8)>, From, bool, Vec<&'static str>);

fn calling() -> impl Strategy<Value = Calling> {
    let damage = prop_oneof![2 => Just(Vec::new()), 1 => vec((any::<usize>(), 0..10_u8), 1..3)];
    let from = prop_oneof![8 => Just(From::Top), 1 => Just(From::Folder), 1 => Just(From::Nowhere)];
    (diff(), damage, from, any::<bool>(), options())
}

pub fn case() -> impl Strategy<Value = Case> {
    let base = vec(thing(), NAMES.len()).prop_map(|things| NAMES.into_iter().zip(things).collect());
    let dirty = prop_oneof![5 => Just(None), 1 => (any::<usize>(), fate()).prop_map(Some)];
    let world = (base, side(), calm(), prop::bool::weighted(0.2), dirty, any::<bool>());
    (world, calling(), settings(), attributes()).prop_map(
        |((base, theirs, ours, after, dirty, forget), call, settings, attributes)| {
            let (diff, damage, from, operand, args) = call;
            let after = after != args.contains(&"-R");
            Case {
                base,
                theirs,
                ours,
                after,
                dirty,
                forget,
                diff,
                damage,
                settings,
                attributes,
                from,
                operand,
                args,
            }
        },
    )
}
