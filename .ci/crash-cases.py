#!/usr/bin/env python3
"""Writes cases for a crash test: OUT/many (200 files), OUT/moves, OUT/modes, each before/, after/ and reply.txt."""
import os, sys


def put(root, path, text, mode=0o644):
    full = os.path.join(root, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
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


for name, make in (("many", many), ("moves", moves), ("modes", modes)):
    case(sys.argv[1], name, *make())
