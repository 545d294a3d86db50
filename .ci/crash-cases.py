#!/usr/bin/env python3
"""Writes cases for a crash test: OUT/many (200 files), OUT/moves, OUT/modes, OUT/links, OUT/large, each before/, after/ and reply.txt.

A mode of None makes a link. In OUT/links names change their kind: files become links and folders, and the other way round."""
import os, sys


def put(root, path, text, mode=0o644):
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    if mode is None:
        os.symlink(text, full)
        return
    with open(full, "w") as f:
        f.write(text)
    os.chmod(full, mode)


def case(out, name, before, after, reply):
    for tree, files in (("before", before), ("after", after)):
        for path, (text, mode) in files.items():
            put(os.path.join(out, name, tree), path, text, mode)
    put(os.path.join(out, name), "reply.txt", reply)


def block(path, old, new):
    return f"{path}\n```\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```\n\n"


def many():
    before, after, reply = {}, {}, ""
    for at in range(200):
        path = f"src/part{at % 7}/file{at}.txt"
        before[path] = (f"first {at}\nold {at}\nlast\n", 0o644)
        after[path] = (f"first {at}\nnew {at}\nlast\n", 0o644)
        reply += block(path, f"old {at}\n", f"new {at}\n")
    return before, after, reply


def moves():
    before, after, reply = {"keep": ("keep\n", 0o600)}, {"keep": ("keep\n", 0o600)}, ""
    for at in range(6):
        old, new = f"old/{at % 2}/f{at}", f"new/{at}/deep/g{at}"
        mode = 0o755 if at % 2 else 0o640
        before[old] = (f"one\ntwo {at}\nthree\nfour\n", mode)
        after[new] = (f"one\nTWO {at}\nthree\nfour\n", mode)
        reply += f"diff --git a/{old} b/{new}\nsimilarity index 70%\nrename from {old}\nrename to {new}\n"
        reply += f"--- a/{old}\n+++ b/{new}\n@@ -1,4 +1,4 @@\n one\n-two {at}\n+TWO {at}\n three\n four\n"
    return before, after, reply


def modes():
    before, after, reply = {}, {}, ""
    for at, (old, new) in enumerate([(0o644, 0o755), (0o755, 0o644), (0o600, 0o700)]):
        path = f"bin/tool{at}"
        before[path], after[path] = ("#!/bin/sh\n", old), ("#!/bin/sh\n", new)
        shown = [100755 if mode & 0o100 else 100644 for mode in (old, new)]
        reply += f"diff --git a/{path} b/{path}\nold mode {shown[0]}\nnew mode {shown[1]}\n"
    before["private"], after["private"] = ("a\nb\n", 0o400), ("a\nB\n", 0o400)
    reply += "diff --git a/private b/private\n--- a/private\n+++ b/private\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n"
    return before, after, reply


def section(path, old, new):
    """What git writes of one name: each side a text and its mode, or None."""
    def lines(side, sign):
        text, mode = side
        return "".join(f"{sign}{line}\n" for line in text.splitlines()) + ("\\ No newline at end of file\n" if mode is None else "")

    def shown(side):
        return "120000" if side[1] is None else "100644"

    if old and new and shown(old) != shown(new):
        return section(path, old, None) + section(path, None, new)
    head = f"diff --git a/{path} b/{path}\n"
    if not old or not new:
        head += f"new file mode {shown(new)}\n" if new else f"deleted file mode {shown(old)}\n"
    head += "index 1111111..2222222" + (f" {shown(old)}" if old and new else "") + "\n"
    head += f"--- {'a/' + path if old else '/dev/null'}\n+++ {'b/' + path if new else '/dev/null'}\n"
    counts = [len(side[0].splitlines()) if side else 0 for side in (old, new)]
    ranges = [f"{1 if count else 0},{count}" for count in counts]
    return head + f"@@ -{ranges[0]} +{ranges[1]} @@\n" + (lines(old, "-") if old else "") + (lines(new, "+") if new else "")


def links():
    before = {"retargeted": ("one", None), "gone": ("one", None), "to-file": ("one", None), "to-link": ("text\n", 0o644),
              "to-folder": ("text\n", 0o644), "one": ("one\n", 0o644)}
    after = {"retargeted": ("sub/two", None), "to-file": ("text\n", 0o644), "to-link": ("one", None),
             "to-folder/deep/file": ("text\n", 0o644), "one": ("one\n", 0o644), "sub/new": ("../one", None)}
    names = sorted(set(before) | set(after))
    gone = [name for name in names if name not in after]
    reply = "".join(section(name, before.get(name), after.get(name)) for name in gone + [n for n in names if n in after]
                    if before.get(name) != after.get(name))
    return before, after, reply


def large():
    """For files that are written over: many pages, longer and shorter."""
    before, after, reply = {}, {}, ""
    for path, old, new in (("grows", "500\n", "500\nmore\n" * 900), ("shrinks", "".join(f"{n}\n" for n in range(500, 2900)), "")):
        head, tail = "".join(f"{n}\n" for n in range(500)), "".join(f"{n}\n" for n in range(3000, 6000))
        before[path], after[path] = (head + old + tail, 0o644), (head + new + tail, 0o644)
        removed, added = ("".join(sign + line + "\n" for line in text.splitlines()) for sign, text in (("-", old), ("+", new)))
        counts = [len(text.splitlines()) + 2 for text in (old, new)]
        reply += f"--- a/{path}\n+++ b/{path}\n@@ -500,{counts[0]} +500,{counts[1]} @@\n 499\n{removed}{added} 3000\n"
    return before, after, reply


for name, make in (("many", many), ("moves", moves), ("modes", modes), ("links", links), ("large", large)):
    case(sys.argv[1], name, *make())
