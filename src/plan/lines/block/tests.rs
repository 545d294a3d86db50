use super::*;

/// The last line (from 1) of the block that begins at line `first`; 0: none.
fn last(path: &str, text: &str, first: usize) -> usize {
    end(&Text::new(text.as_bytes()), first - 1, path.as_bytes()).unwrap_or(0)
}

#[test]
fn markdown_sections() {
    let text = "# T\n\n## B\ntext\n\n### B1\n```\n# no\n```\n\n## C\nx\n";
    for (first, want) in [(1, 12), (3, 10), (6, 10), (11, 12), (4, 0)] {
        assert_eq!(last("p.md", text, first), want, "{first}");
    }
    assert_eq!(last("p.md", "# T\n```\nx\n", 1), 0);
}

#[test]
fn python_blocks() {
    let text = "import a\n\n@dec\n@more(1)\ndef f(\n    x,\n):\n    if x:\n        y\n    # note\n    else:\n        z = '''\nflush\n'''\n\n    return 1\n\n# after\nclass A:\n    pass\nx = 1\n";
    for (first, want) in
        [(3, 16), (5, 16), (8, 14), (11, 14), (19, 20), (21, 0), (1, 0), (6, 0), (13, 0), (10, 0)]
    {
        assert_eq!(last("a.py", text, first), want, "{first}");
    }
    let attempt = "try:\n    a\nexcept E:\n    b\nfinally:\n    c\nd\n";
    assert_eq!((last("a.py", attempt, 1), last("a.py", attempt, 3)), (6, 4));
}

#[test]
fn yaml_blocks() {
    let text = "a:\n  b: 1\n\n  c:\n  - x\n  - y\nd: 2\n";
    for (first, want) in [(1, 6), (4, 6), (7, 0)] {
        assert_eq!(last("a.yml", text, first), want, "{first}");
    }
}

#[test]
fn bracket_blocks() {
    for (path, text, first, want) in [
        ("m.js", "const a = 1;\n\nfunction f() {\n  if (a) {\n    g();\n  }\n}\nfoo();\n", 3, 7),
        ("m.js", "if (a) {\n  b();\n} else {\n  c();\n}\nd();\n", 1, 5),
        ("m.js", "if (a) {\n  b();\n} else {\n  c();\n}\nd();\n", 3, 0),
        ("m.js", "if (a) {\n  b();\n}\nelse {\n  c();\n}\n", 1, 0),
        ("m.js", "foo(() => {\n  x(\"}\");\n});\nbar();\n", 1, 3),
        ("m.js", "foo(() => {\n  x();\n})\n  .then(y);\n", 1, 0),
        ("m.js", "foo(() => {\n  x();\n}).then(() => {\n  y();\n});\n", 1, 5),
        ("m.js", "const t = `\n{\n`;\nfunction f() {\n  x;\n}\n", 4, 6),
        ("m.js", "function f() { return 1; }\nfoo();\n", 1, 0),
        ("m.js", "function f() {\nreturn 1;\n}\n", 1, 0),
        ("m.js", "function f() {\n  g(;\n", 1, 0),
        ("m.js", "} else {\n  a;\n}\n", 1, 0),
        ("m.js", "f() {\n  a;\n} g();\n", 1, 0),
        ("m.js", "// {\n  a;\n}\n", 1, 0),
        ("a.c", "int f(void)\n{\n    return '}';\n}\n\nint x;\n", 1, 4),
        ("a.rs", "fn f<'a>(x: &'a str) -> char {\n    '{'\n}\nfn g() {}\n", 1, 3),
        ("a.rs", "#[test]\nfn f() {\n    a;\n}\n", 1, 0),
        ("A.java", "  @Override\n  public void f() {\n    a;\n  }\n}\n", 1, 4),
        ("a.json", "{\n  \"a\": [\n    1\n  ],\n  \"b\": 2\n}\n", 2, 4),
        ("a.css", ".a {\n  b: c;\n}\n.d {\n}\n", 1, 3),
        ("a.txt", "a {\n  b\n}\n", 1, 0),
    ] {
        assert_eq!(last(path, text, first), want, "{path} {first} {text}");
    }
}
