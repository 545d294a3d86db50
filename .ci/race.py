#!/usr/bin/env python3
"""Edits a file while another program saves it all the time, and looks whether a save is ever lost.

    race.py EDAPPLY [--edits N] [--how rename|in-place] [--every MS]      (400 edits; both ways; each millisecond, and at longer random pauses)

A saver writes `saved K`, K counting up, and before each save looks at what stands there. If that is older than its last save, and
stays so, an edit has overwritten a save that it had not seen. A saver by rename must never see that. A saver that truncates and
writes may, if it held the file open when names were exchanged and wrote after the commit; its bytes are then in the undo image.
After a refusal nobody may see it. At the end nothing stray lies about. Prints a line for each way; exit 1 if a promise is broken.
"""
import argparse, os, random, re, subprocess, sys, tempfile, threading, time

REPLY = """\
t.txt
```
<<<<<<< SEARCH
edit me
=======
edited {turn}
>>>>>>> REPLACE
```
"""


class Saver(threading.Thread):
    """Saves until it is stopped; `stale` holds each save that another content, older than it, took the place of."""

    def __init__(self, path, how, every):
        super().__init__(daemon=True)
        self.path, self.how, self.every, self.count, self.stale, self.stop = path, how, every, 0, [], threading.Event()

    def found(self):
        """The number in the file, None if it is not whole."""
        try:
            with open(self.path) as f:
                match = re.fullmatch(r"saved (\d+)\n(edit me|edited \d+)\n", f.read())
        except FileNotFoundError:
            return None
        return int(match[1]) if match else None

    def save(self):
        self.count += 1
        text = f"saved {self.count}\nedit me\n"
        if self.how == "in-place":
            with open(self.path, "w") as f:
                f.write(text)
            return
        with open(self.path + ".save", "w") as f:
            f.write(text)
        os.rename(self.path + ".save", self.path)

    def run(self):
        while not self.stop.is_set():
            if self.found() != self.count:
                # What is handed back shows for a moment; what is lost stays lost.
                end = time.monotonic() + 2
                while time.monotonic() < end and self.found() != self.count:
                    time.sleep(0.01)
                if self.found() != self.count:
                    self.stale.append(self.count)
            self.save()
            time.sleep(self.every / 1000 if self.every <= 1 else random.uniform(0, 2 * self.every) / 1000)


def kept(state, number):
    """The save is in an image that undo keeps."""
    for folder, _, names in os.walk(state):
        for name in names:
            with open(os.path.join(folder, name), "rb") as f:
                if f.read().startswith(b"saved %d\n" % number):
                    return True
    return False


def race(edapply, edits, how, every):
    with tempfile.TemporaryDirectory() as base:
        tree, state = os.path.join(base, "tree"), os.path.join(base, "state")
        os.mkdir(tree)
        saver = Saver(os.path.join(tree, "t.txt"), how, every)
        saver.save()
        saver.start()
        codes, broken, seen = {}, [], 0
        for turn in range(edits):
            done = subprocess.run([edapply, "-C", tree, "--state-dir", state], input=REPLY.format(turn=turn).encode(),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            codes[done.returncode] = codes.get(done.returncode, 0) + 1
            if done.returncode not in (0, 1):
                broken.append(f"edit {turn} ended with {done.returncode}: {done.stderr.decode()}")
            for number in saver.stale[seen:]:
                if how == "rename":
                    broken.append(f"save {number} is lost")
                elif done.returncode != 0 or not kept(state, number):
                    broken.append(f"save {number} is lost, and is in no undo image (exit {done.returncode})")
            seen = len(saver.stale)
        saver.stop.set()
        saver.join()
        stray = [name for name in os.listdir(tree) if name not in ("t.txt", "t.txt.save")]
        broken += [f"{name} lies about" for name in stray]
        print(f"{how}, every {every} ms: {codes.get(0, 0)} applied, {codes.get(1, 0)} refused, {saver.count} saves, "
              f"{len(saver.stale)} in an undo image, {len(broken)} broken")
        for line in broken[:20]:
            print("  " + line)
        return not broken


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("edapply", type=os.path.abspath)
    ap.add_argument("--edits", type=int, default=400)
    ap.add_argument("--every", type=float)
    ap.add_argument("--how", choices=["rename", "in-place"])
    opt = ap.parse_args()
    ways = [opt.how] if opt.how else ["rename", "in-place"]
    paces = [opt.every] if opt.every else [1, 25]
    sys.exit(0 if all([race(opt.edapply, opt.edits, how, every) for how in ways for every in paces]) else 1)


main()
