== name with a tab and a stamp
numbers 3 >'a b'; printf -- '--- a b\t2020-01-01 00:00:00 +0000\n+++ a b\t2020-01-01 00:00:00 +0000\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n' >p
call -p0 <p
== name with blanks and no tab
numbers 3 >a; printf -- '--- a b\n+++ a b\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n' >p
call -p0 <p
== quoted name
numbers 3 >"$(printf 'a\tb')"; printf -- '--- "a\\tb"\n+++ "a\\tb"\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n' >p
call -p0 <p
== quoted name with octal bytes
numbers 3 >"$(printf '\303\244')"; printf -- '--- "a/\\303\\244"\n+++ "b/\\303\\244"\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n' >p
call -p1 <p
== quoted name rejected
numbers 3 >"$(printf 'a"b')"; printf -- '--- "a\\"b"\n+++ "a\\"b"\n@@ -1,2 +1,2 @@\n-x\n+one\n 2\n' >p
call -p0 <p
== name with a quote sign
numbers 3 >"it's"; printf -- "--- it's\n+++ it's\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n" >p
call -p0 <p
== name with a dollar
numbers 3 >'a$b'; printf -- '--- a$b\n+++ a$b\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n' >p
call -p0 <p
== names in each style
numbers 3 >'a b'; printf -- '--- a b\t\n+++ a b\t\n@@ -1,2 +1,2 @@\n-x\n+one\n 2\n' >p
for style in literal shell shell-always c escape; do call -p0 -f --quoting-style=$style <p; done
== style from the environment
numbers 3 >'a b'; printf -- '--- a b\t\n+++ a b\t\n@@ -1,2 +1,2 @@\n-x\n+one\n 2\n' >p
QUOTING_STYLE=c call -p0 -f <p
QUOTING_STYLE=nonsense call -p0 -f <p
== unknown style
call --quoting-style=nonsense </dev/null
== index with blanks
numbers 3 >'a b'; printf 'Index: a b\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n' >p
call -p0 <p
== index with crlf
numbers 3 >a; printf 'Index: a\r\n@@ -1,2 +1,2 @@\r\n-1\r\n+one\r\n 2\r\n' >p
call -p0 <p
== index ignored beside names
numbers 3 >a; numbers 3 >b; printf 'Index: a\n--- b\n+++ b\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n' >p
call -p0 <p
== index counts in posix
numbers 3 >a; printf 'Index: a\n--- b\n+++ b\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n' >p
call --posix -p0 <p
== index in rejects
numbers 3 >a; printf 'Index: a\n===========\n@@ -1,2 +1,2 @@\n-x\n+one\n 2\n' >p
call -p0 <p
== posix takes the first that exists
numbers 3 >a.long; numbers 3 >a; printf -- '--- a.long\n+++ a\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n' >p
call --posix -p0 <p
== the best name is short
numbers 3 >a.long; numbers 3 >a; printf -- '--- a.long\n+++ a\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n' >p
call -p0 <p
== the best name has few folders
mkdir d; numbers 3 >d/a; numbers 3 >longer; printf -- '--- d/a\n+++ longer\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n' >p
call -p0 <p
== the new name alone exists
numbers 3 >b; printf -- '--- a\n+++ b\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n' >p
call -p0 <p
== strip counts
mkdir -p x/y; numbers 3 >x/y/f; printf -- '--- o/x/y/f\n+++ n/x/y/f\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n' >p
for n in 0 1 2 3 4; do call -f --dry-run -p$n <p; done
call -f --dry-run <p
== strip with runs of slashes
mkdir x; numbers 3 >x/f; printf -- '--- o//x///f\n+++ n//x///f\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n' >p
call -p1 <p
== bad numbers
for arg in -px -p-1 -Fx -F-1 -gx --strip= -p; do call $arg </dev/null; done
== huge numbers
numbers 3 >f; printf -- '--- f\n+++ f\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n' >p
call -F99999999999999999999 -p0 <p
call -R -p99999999999999999999 -f <p
== creates with folders
printf -- '--- /dev/null\n+++ b/x/y/z\n@@ -0,0 +1 @@\n+new\n' >p
call -p1 <p
== creates where fewest folders are needed
mkdir -p a/x; printf -- '--- a/x/f\t1970-01-01 00:00:00 +0000\n+++ b/x/f\t2020-01-01 00:00:00 +0000\n@@ -0,0 +1 @@\n+new\n' >p
call -p0 <p
== creates twice
printf -- '--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+new\n' >p
call -p0 <p
call -p0 <p
== creates twice forced
printf -- '--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+new\n' >p
call -p0 <p
call -p0 -f <p
== creates twice in batch
printf -- '--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+new\n' >p
call -p0 <p
call -p0 -t <p
== creates twice forward
printf -- '--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+new\n' >p
call -p0 <p
call -p0 -N <p
call -p0 -N -r - <p
== creates over crlf
printf 'x\r\n' >f; printf -- '--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+new\n' >p
call -p0 -f <p
== creation reversed
printf 'new\n' >f; printf -- '--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+new\n' >p
call -p0 -R <p
call -p0 -R <p
== creation reversed in batch
printf -- '--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+new\n' >p
call -p0 -R -t <p
== removal reversed
printf -- '--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n' >p
call -p0 -R <p
== removal of a file in folders
mkdir -p x/y; echo old >x/y/f; printf -- '--- x/y/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n' >p
call -p0 --verbose <p
== removal beside another file
mkdir -p x/y; echo old >x/y/f; echo k >x/k; printf -- '--- x/y/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n' >p
call -p0 <p
== removal with backup
echo old >f; printf -- '--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n' >p
call -p0 -b <p
== removal that differs
printf 'old\nmore\n' >f; printf -- '--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n' >p
call -p0 <p
== removal that differs silent
printf 'old\nmore\n' >f; printf -- '--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n' >p
call -p0 -s <p
== removal of what is gone
printf -- '--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n' >p
call -p0 <p
call -p0 -f <p
call -p0 -N <p
call -p0 -t <p
== removal of what is empty
: >f; printf -- '--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n' >p
call -p0 <p
call -p0 -f <p
== removal dry
echo old >f; printf -- '--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n' >p
call -p0 --dry-run <p
== removal posix
echo old >f; printf -- '--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n' >p
call -p0 --posix <p
== emptied stays
echo old >f; printf -- '--- f\n+++ f\n@@ -1 +0,0 @@\n-old\n' >p
call -p0 <p
== emptied goes
mkdir d; echo old >d/f; printf -- '--- d/f\n+++ d/f\n@@ -1 +0,0 @@\n-old\n' >p
call -p0 -E --verbose <p
== emptied goes with backup
echo old >f; printf -- '--- f\n+++ f\n@@ -1 +0,0 @@\n-old\n' >p
call -p0 -E -b <p
== removal and creation of one name
echo old >f; printf -- '--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+new\n' >p
call -p0 <p
== creation then change
printf -- '--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+new\n--- f\n+++ f\n@@ -1 +1 @@\n-new\n+newer\n' >p
call -p0 <p
== creation then change dry
printf -- '--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+new\n--- f\n+++ f\n@@ -1 +1 @@\n-new\n+newer\n' >p
call -p0 --dry-run <p
== change then removal
echo old >f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-old\n+new\n--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-new\n' >p
call -p0 <p
== a folder stands there
mkdir f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-old\n+new\n' >p
call -p0 <p
== a fifo stands there
mkfifo f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-old\n+new\n' >p
call -p0 <p
== a link stands there
echo old >g; ln -s g f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-old\n+new\n' >p
call -p0 <p
call -p0 --follow-symlinks <p
== a dangling link stands there
ln -s nowhere f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-old\n+new\n' >p
call -p0 <p
== a file where a folder should be
echo x >d; printf -- '--- /dev/null\n+++ d/f\n@@ -0,0 +1 @@\n+new\n' >p
call -p0 <p
== through a link inside
mkdir real; echo old >real/f; ln -s real d; printf -- '--- d/f\n+++ d/f\n@@ -1 +1 @@\n-old\n+new\n' >p
call -p0 <p
== through a link outside
mkdir ../tmp/out; ln -s ../tmp/out d; printf -- '--- /dev/null\n+++ d/f\n@@ -0,0 +1 @@\n+new\n' >p
call -p0 -f <p
ls ../tmp/out
== operand in another folder
mkdir d; echo old >d/f; printf -- '--- x\n+++ y\n@@ -1 +1 @@\n-old\n+new\n' >p
call d/f <p
== operand that is missing
printf -- '--- x\n+++ y\n@@ -1 +1 @@\n-old\n+new\n' >p
call f <p
== operand that is missing and is created
printf -- '--- /dev/null\n+++ y\n@@ -0,0 +1 @@\n+new\n' >p
call f <p
== operand and patch file
echo old >f; printf -- '--- x\n+++ y\n@@ -1 +1 @@\n-old\n+new\n' >p
call f p
== operand too many
call a b c </dev/null
== operand for several patches
printf 'a\nb\nc\nd\n' >f; printf -- '--- x\n+++ x\n@@ -1 +1 @@\n-a\n+A\n--- y\n+++ y\n@@ -4 +4 @@\n-d\n+D\n' >p
call f <p
== executable stays so
echo old >f; chmod 755 f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-old\n+new\n' >p
call -p0 <p
== odd mode stays
echo old >f; chmod 640 f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-x\n+new\n' >p
call -p0 -b <p
== umask of a new file
umask 077; printf -- '--- /dev/null\n+++ d/f\n@@ -0,0 +1 @@\n+new\n' >p
call -p0 <p
== set user id goes
echo old >f; chmod 4755 f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-old\n+new\n' >p
call -p0 <p
== dangerous names
for name in /tmp/x ../x d/../x; do printf -- "--- $name\n+++ $name\n@@ -0,0 +1 @@\n+new\n" >p; call -p0 -f <p; done
== two names one dangerous
echo old >f; printf -- '--- ../f\n+++ f\n@@ -1 +1 @@\n-old\n+new\n' >p
call -p0 <p
== two equal names missing
printf -- '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-old\n+new\n' >p
call -p1 <p
call -p1 -s <p
call -p1 -f -s <p
== directory option
mkdir d; echo old >d/f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-old\n+new\n' >d/p
call -d d -p0 -i p
== directory option twice
mkdir -p d/e; echo old >d/e/f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-old\n+new\n' >p
call -d d -d e -p0 <p
== directory that is missing
call -d nowhere </dev/null
== patch file that is missing
call -i nowhere </dev/null
call f nowhere </dev/null
== patch file that is a folder
mkdir d
call -i d </dev/null
