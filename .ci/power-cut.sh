#!/usr/bin/env bash
# Cuts the power in the middle of a batch, and looks whether every file is whole.
#
#   power-cut.sh EDAPPLY [CUTS]          (50 cuts; needs root, loop devices and mkfs.ext4)
#
# A batch runs on an ext4 image; at a random moment the image is copied while it is mounted, which is what a disk would hold if the
# power went then (what was never written out is lost). The copy is mounted, whose journal is replayed. Every file must be whole,
# old or new, also before the recovery; after it all are old, or all new. The last line counts; exit 1 if any cut broke that.
set -euo pipefail
edapply=$(realpath "$1")
cuts=${2:-50}
files=24

work=$(mktemp -d)
cleanup() {
    umount "$work/disk" 2>/dev/null || true
    umount "$work/after" 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT
mkdir "$work/disk" "$work/after"

reply=$work/reply
for n in $(seq "$files"); do
    printf 'src/f%s.txt\n```\n<<<<<<< SEARCH\nold %s\n=======\nnew %s\n>>>>>>> REPLACE\n```\n\n' "$n" "$n" "$n"
done >"$reply"
printf 'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+src/f1.txt\n\\ No newline at end of file\n' >>"$reply"

# How many files are old, new, and neither.
count() {
    local old=0 new=0 bad=0 n text
    for n in $(seq "$files"); do
        text=$(tr '\n' '|' <"$1/tree/src/f$n.txt" 2>/dev/null || true)
        case $text in
            "first|old $n|$filler") old=$((old + 1)) ;;
            "first|new $n|$filler") new=$((new + 1)) ;;
            *) bad=$((bad + 1)) ;;
        esac
    done
    case $(readlink "$1/tree/l" 2>/dev/null || echo none) in
        none) old=$((old + 1)) ;;
        src/f1.txt) new=$((new + 1)) ;;
        *) bad=$((bad + 1)) ;;
    esac
    echo "$old $new $bad"
}

all=$((files + 1)) were_old=0 were_new=0 torn=0 broken=0
filler=$(seq 500 | tr '\n' '|')
for cut in $(seq "$cuts"); do
    truncate -s 0 "$work/image" && truncate -s 24M "$work/image"
    mkfs.ext4 -q -F "$work/image"
    mount -o loop "$work/image" "$work/disk"
    mkdir -p "$work/disk/tree/src"
    for n in $(seq "$files"); do
        { printf 'first\nold %s\n' "$n"; seq 500; } >"$work/disk/tree/src/f$n.txt"
    done
    sync -f "$work/disk"
    "$edapply" -C "$work/disk/tree" --state-dir "$work/disk/state" "$reply" >/dev/null 2>&1 &
    run=$!
    # From before its first write until after its last.
    sleep "$(printf '0.%03d' $((RANDOM % 400)))"
    cp "$work/image" "$work/copy"
    wait "$run" || true
    umount "$work/disk"

    mount -o loop "$work/copy" "$work/after"
    read -r old new bad < <(count "$work/after")
    [ "$old" -ne "$all" ] && [ "$new" -ne "$all" ] && torn=$((torn + 1))
    if [ "$bad" -gt 0 ]; then
        echo "cut $cut: $bad files are neither old nor new"
        broken=$((broken + 1))
    fi
    "$edapply" recover -C "$work/after/tree" --state-dir "$work/after/state" >/dev/null 2>&1 || true
    read -r old new bad < <(count "$work/after")
    stray=$(find "$work/after/tree" -name '.edapply-*' | wc -l)
    if [ "$old" -eq "$all" ] && [ "$stray" -eq 0 ]; then
        were_old=$((were_old + 1))
    elif [ "$new" -eq "$all" ] && [ "$stray" -eq 0 ]; then
        were_new=$((were_new + 1))
    else
        echo "cut $cut: after the recovery $old old, $new new, $bad damaged, $stray stray"
        broken=$((broken + 1))
    fi
    umount "$work/after"
done
echo "$cuts cuts: $were_old old, $were_new new, $torn torn before the recovery, $broken broken"
[ "$broken" -eq 0 ]
