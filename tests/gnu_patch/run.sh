#!/bin/sh
# What a program that is called as `patch` does in scenarios.
#
#   run.sh BINARY SCENARIOS [NAME]
#
# SCENARIOS holds blocks: a line `== NAME`, then shell lines, run in a folder of their own. `call ARGS`
# runs the program there. For each block is printed: the name, each call with its exit code and both
# streams, and every file after it. With GNU patch as BINARY this makes what the tests expect.
set -u
[ $# -ge 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
scenarios=$2 only=${3:-}
base=$(mktemp -d) && base=$(cd "$base" && pwd -P) || exit 2
trap 'rm -rf "$base"' EXIT
mkdir "$base/bin" "$base/home" "$base/tmp"
ln -s "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")" "$base/bin/patch"
umask 022
unset PATCH_GET PATCH_VERSION_CONTROL POSIXLY_CORRECT QUOTING_STYLE SIMPLE_BACKUP_SUFFIX VERSION_CONTROL
export LC_ALL=C TZ=UTC0 HOME="$base/home" TMPDIR="$base/tmp" PATH="$base/bin:$PATH"

# Lines of a file with a mark in front, ends and odd bytes made visible.
lines() {
    [ -s "$2" ] || return 0
    sed "s|$base/w|<here>|g; s|$base|<base>|g; s|\.[opre][A-Za-z0-9]\{6\} :|.oRANDOM :|" <"$2" | cat -A | sed "s/^/$1/"
    [ -z "$(tail -c 1 "$2" | tr -d '\n' | tr '\0' x)" ] || echo
}
call() {
    patch "$@" >"$base/out" 2>"$base/err"
    code=$?
    echo "\$ patch $* [$code]"
    lines '  out| ' "$base/out"
    lines '  err| ' "$base/err"
}
# The numbers from 1 to N, a line each.
numbers() { seq "$1"; }
# A file's time in seconds since 1970.
time_of() { for file; do echo "  time of $file: $(stat -c %Y "$file")"; done; }
tree() {
    find . -mindepth 1 | sort | while IFS= read -r path; do
        if [ -L "$path" ]; then echo "  $path -> $(readlink "$path")"
        elif [ -f "$path" ]; then echo "  $path $(stat -c %a "$path")"; lines '    ' "$path"
        else echo "  $path $(stat -c '%F' "$path")"; fi
    done
}
run() {
    [ -n "$1" ] || return 0
    [ -z "$only" ] || [ "$only" = "$1" ] || return 0
    mkdir "$base/w"
    echo "== $1"
    (cd "$base/w" && eval "$2" && tree) </dev/null 2>&1 | cat -v
    chmod -R u+rwx "$base/w"
    rm -rf "$base/w" "$base/tmp"
    mkdir "$base/tmp"
}
name='' body=''
while IFS= read -r line; do
    case $line in
    '== '*) run "$name" "$body"; name=${line#== } body='' ;;
    *) body="$body$line
" ;;
    esac
done <"$scenarios"
run "$name" "$body"
