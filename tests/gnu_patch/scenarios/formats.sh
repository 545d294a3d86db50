== context one change
numbers 10 >a; sed 's/^5$/five/' a >b; diff -c --label a --label a a b >p; rm b
call <p
== context offset and fuzz
numbers 10 >a; sed 's/^5$/five/' a >b; diff -c --label a --label a a b >p; rm b
sed -i '1i x' a; sed -i 's/^7$/VII/' a
call <p
== context reject in unified
numbers 10 >a; sed 's/^5$/five/' a >b; diff -c --label a --label a a b >p; rm b; sed -i 's/^5$/V/' a
call --reject-format=unified <p
== unified reject in context
numbers 10 >a; sed 's/^5$/five/;8d' a >b; diff -u --label a --label a a b >p; rm b; sed -i 's/^5$/V/;s/^8$/VIII/' a
call --reject-format=context <p
== unified reject of an insertion in context
numbers 10 >a; sed '5a x' a >b; diff -U1 --label a --label a a b >p; rm b; sed -i 's/^5$/V/;s/^6$/VI/' a
call --reject-format=context -F0 <p
== context delete only
numbers 10 >a; sed 5d a >b; diff -c --label a --label a a b >p; rm b
call <p
== context insert only
numbers 10 >a; sed '5a x' a >b; diff -c --label a --label a a b >p; rm b
call <p
call -R <p
== context without any context deleting
numbers 10 >a; sed 5d a >b; diff -C0 --label a --label a a b >p; rm b
call <p
== context without any context adding
numbers 10 >a; sed '5a x' a >b; diff -C0 --label a --label a a b >p; rm b
call <p
== context without any context changing
numbers 10 >a; sed 's/5/x/' a >b; diff -C0 --label a --label a a b >p; rm b
call <p
== context old style
numbers 10 >a; printf '*** a\n--- a\n***************\n*** 4,6\n  4\n! 5\n  6\n--- 4,6 -----\n  4\n! five\n  6\n' >p
call <p
== context old style failing
numbers 4 >a; printf '*** a\n--- a\n***************\n*** 4,6\n  4\n! 5\n  6\n--- 4,6 -----\n  4\n! five\n  6\n' >p
call <p
== context old style verbose that is new style
numbers 10 >a; printf '*** a\n--- a\n***************\n*** 3,6\n  3\n  4\n- 5\n  6\n--- 3,5 -----\n' >p
call --verbose <p
== context new file
printf '*** /dev/null\n--- n\n***************\n*** 0 ****\n--- 1,2 ----\n+ a\n+ b\n' >p
call <p
== context removes a file
printf 'a\nb\n' >n; printf '*** n\n--- /dev/null\n***************\n*** 1,2 ****\n- a\n- b\n--- 0 ----\n' >p
call <p
== context with a function
numbers 10 >a; sed 's/^5$/five/' a >b; diff -c --label a --label a a b | sed 's/^\*\*\*\*\*\*\*\*\*\*\*\*\*\*\*$/& main()/' >p; rm b; sed -i s/5/V/ a
call <p
== context missing newline
printf 'a\nb' >a; printf 'a\nc' >b; diff -c --label a --label a a b >p; rm b
call <p
== context missing newline failing
printf 'a\nb' >a; printf 'a\nc' >b; diff -c --label a --label a a b >p; rm b; printf 'x\ny' >a
call <p
== context blank before the divider
numbers 10 >a; printf '*** a\n--- a\n***************\n*** 4,6 ****\n  4\n! 5\n  6\n\n--- 4,6 ----\n  4\n! five\n  6\n' >p
call <p
== context blank before the divider failing
numbers 3 >a; printf '*** a\n--- a\n***************\n*** 4,6 ****\n  4\n! 5\n  6\n\n--- 4,6 ----\n  4\n! five\n  6\n' >p
call <p
== context range lost
numbers 10 >a; printf '*** a\n--- a\n***************\n*** 2,4 ****\n  2\n! 3\n  4\n--- 2,4 ----\n  2\n! x\n  4\n***************\n  7\n! 8\n  9\n--- 7,9 ----\n  7\n! y\n  9\n' >p
call <p
== context duplicate divider
numbers 10 >a; printf '*** a\n--- a\n***************\n*** 2,4 ****\n  2\n! 3\n  4\n--- 2,4 ----\n  2\n! x\n--- 4\n' >p
call <p
== context mangled
numbers 10 >a; printf '*** a\n--- a\n***************\n*** 2,4 ****\n  2\n! 3\n  4\n--- 2,4 ----\n! x\n! y\n! z\n' >p
call <p
== context out of sync
numbers 10 >a; printf '*** a\n--- a\n***************\n*** 2,4 ****\n  2\n! 3\n  4\n--- 2,4 ----\n  2\n  3\n! x\n' >p
call <p
== context blanks eaten
printf 'a\n\nb\nc\n' >a; printf '*** a\n--- a\n***************\n*** 1,4 ****\n  a\n\n! b\n  c\n--- 1,4 ----\n  a\n\n! B\n  c\n' >p
call <p
== context tab line
printf 'a\n\tx\nb\nc\n' >a; printf '*** a\n--- a\n***************\n*** 1,4 ****\n  a\n\tx\n! b\n  c\n--- 1,4 ----\n  a\n\tx\n! B\n  c\n' >p
call <p
== context zero zero range
printf '*** a\n--- a\n***************\n*** 0,0 ****\n--- 1 ----\n+ x\n' >p
call <p
== context several files
printf '1\n' >a; printf '2\n' >b; printf '*** a\n--- a\n***************\n*** 1 ****\n! 1\n--- 1 ----\n! one\n*** b\n--- b\n***************\n*** 1 ****\n! 2\n--- 1 ----\n! two\n' >p
call <p
== context indented
numbers 10 >a; sed 's/^5$/five/' a >b; diff -c --label a --label a a b | sed 's/^/    /' >p; rm b
call <p
== context with stamps
numbers 10 >a; sed 's/^5$/five/' a >b; touch -d @1000000000 a b; diff -c a b >p; rm b; sed -i 's/5/V/' a
call <p
== context reversed
numbers 10 >a; sed 's/^5$/five/;8d' a >b; diff -c --label a --label a a b >p; cp b a; rm b
call -R <p
== context reversed failing
numbers 10 >a; sed 's/^5$/five/;8d' a >b; diff -c --label a --label a a b >p; rm b; sed -i 's/5/V/' a
call -R -f <p
== normal change add delete
numbers 10 >a; sed 's/^3$/x/;5d;8a y' a >b; diff a b >p; rm b
call a <p
call -R a <p
== normal failing
numbers 10 >a; sed 's/^3$/x/;5d;8a y' a >b; diff a b >p; rm b; sed -i 's/^3$/III/;s/^5$/V/' a
call a <p
== normal failing in unified
numbers 10 >a; sed 's/^3$/x/;5d;8a y' a >b; diff a b >p; rm b; sed -i 's/^3$/III/;s/^5$/V/' a
call --reject-format=unified a <p
== normal with index
numbers 4 >a; printf 'Index: a\n2c2\n< 2\n---\n> two\n' >p
call <p
== normal two without a second header
numbers 6 >a; printf 'Index: a\n2c2\n< 2\n---\n> two\njunk\n5c5\n< 5\n---\n> five\n' >p
call <p
== normal two without any header
numbers 6 >a; printf '2c2\n< 2\n---\n> two\njunk\n5c5\n< 5\n---\n> five\n' >p
call -n a <p
== normal without file
numbers 6 >a; printf '2c2\n< 2\n---\n> two\njunk\n5c5\n< 5\n---\n> five\n' >p
call -n <p
== normal missing newline
printf 'a\nb' >a; printf 'a\nb\n' >b; diff a b >p; rm b
call a <p
== normal bad sign
numbers 6 >a; printf '2c2\n< 2\n---\n< two\n' >p
call a <p
== normal no divider
numbers 6 >a; printf '2c2\n< 2\n> two\n' >p
call a <p
== normal cut off
numbers 6 >a; printf '2,3c2\n< 2\n' >p
call a <p
== normal lost number
numbers 6 >a; printf '2c2\nx\n< 2\n---\n> two\n4c4\n< 4\n---\n> four\n' >p
call a <p
== normal with unified flag
numbers 6 >a; printf '2c2\n< 2\n---\n> two\n' >p
call -u a <p
== normal verbose
numbers 6 >a; printf 'junk\n2c2\n< 2\n---\n> two\n' >p
call --verbose a <p
== normal at offset
numbers 6 >a; sed -i '1i x' a; printf '2c2\n< 2\n---\n> two\n' >p
call a <p
== ed script
numbers 6 >a; printf '5d\n2c\ntwo\n.\n0a\nzero\n.\n' >p
call a <p
== ed script with index
numbers 6 >a; printf 'Index: a\n5d\n2c\ntwo\n.\n' >p
call <p
== ed script reversed
numbers 6 >a; printf '2c\ntwo\n.\n' >p
call -R a <p
== ed script dry
numbers 6 >a; printf '2c\ntwo\n.\n' >p
call --dry-run a <p
== ed script to another file
numbers 6 >a; printf '2c\ntwo\n.\n' >p
call -o b a <p
== ed script with backup
numbers 6 >a; printf '2c\ntwo\n.\n' >p
call -b a <p
== ed script verbose
numbers 6 >a; printf 'junk\n2c\ntwo\n.\n' >p
call --verbose a <p
== ed script beyond the end
numbers 3 >a; printf '9d\n' >p
call a <p
== ed script on a missing file
printf '0a\nnew\n.\n' >p
call a <p
== ed script only deletes
numbers 6 >a; printf '5d\n2d\n' >p
call a <p
== ed script with a lone dot
numbers 3 >a; printf '2c\n..\n.\ns/.//\na\nmore\n.\n' >p
call a <p
== ed script empties
numbers 2 >a; printf '1,2d\n' >p
call a <p
call -E a <p
== unified three files with prose
for f in a b c; do numbers 5 >$f; done
for f in a b c; do echo "Change $f"; echo; printf -- "--- $f\n+++ $f\n@@ -2,3 +2,3 @@\n 2\n-3\n+three\n 4\n"; done >p; echo '-- ' >>p; echo 2.40 >>p
call <p
== unified prose verbose
for f in a b; do numbers 5 >$f; done
for f in a b; do echo "Change $f"; echo; printf -- "--- $f\n+++ $f\n@@ -2,3 +2,3 @@\n 2\n-3\n+three\n 4\n"; done >p; echo '-- ' >>p; echo 2.40 >>p
call --verbose <p
== unified blank lines lost their space
printf 'a\n\nb\nc\n' >a; printf -- '--- a\n+++ a\n@@ -1,4 +1,4 @@\n a\n\n-b\n+B\n c\n' >p
call <p
== unified equals for blank
printf 'a\nb\nc\n' >a; printf -- '--- a\n+++ a\n@@ -1,3 +1,3 @@\n=a\n-b\n+B\n=c\n' >p
call <p
== unified odd blanks in the header
numbers 5 >a; printf -- '--- a\n+++ a\n@@ -2,3  +2,3 @@\n 2\n-3\n+x\n 4\n' >p
call <p
== unified tab for blank in the header
numbers 5 >a; printf -- '--- a\n+++ a\n@@ -2,3\t+2,3 @@\n 2\n-3\n+x\n 4\n' >p
call <p
== unified heading kept in rejects
numbers 3 >a; printf -- '--- a\n+++ a\n@@ -2,3 +2,3 @@ int main(void)\n 2\n-x\n+y\n 4\n' >p
call <p
== unified old without newline new with
printf 'a\nb' >a; printf 'a\nb\n' >b; diff -u --label a --label a a b >p; rm b
call <p
call -R <p
== unified newline mark in the middle
printf 'a\nb' >a; printf -- '--- a\n+++ a\n@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+c\n\\ No newline at end of file\n' >p
call <p
call -R <p
== unified context without newline
printf 'a\nb' >a; printf -- '--- a\n+++ a\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n' >p
call <p
== unified context gains lines behind the end
printf 'a\nb' >a; printf -- '--- a\n+++ a\n@@ -1,2 +1,3 @@\n a\n b\n\\ No newline at end of file\n+c\n' >p
call <p
== unified counts too large at the end
numbers 5 >a; printf -- '--- a\n+++ a\n@@ -2,5 +2,5 @@\n 2\n-3\n+x\n 4\n' >p
call <p
== unified counts much too large at the end
numbers 5 >a; printf -- '--- a\n+++ a\n@@ -2,9 +2,9 @@\n 2\n-3\n+x\n 4\n' >p
call <p
== unified huge count
numbers 5 >a; printf -- '--- a\n+++ a\n@@ -2,2000000000 +2,2000000000 @@\n 2\n-3\n+x\n 4\n' >p
call <p
== unified number beyond all
numbers 5 >a; printf -- '--- a\n+++ a\n@@ -99999999999999999999,1 +1 @@\n-3\n+x\n' >p
call <p
== unified no change in the hunk
numbers 5 >a; printf -- '--- a\n+++ a\n@@ -2,2 +2,2 @@\n 2\n 3\n' >p
call <p
== unified start zero with lines
numbers 5 >a; printf -- '--- a\n+++ a\n@@ -0,2 +0,2 @@\n 1\n-2\n+x\n' >p
call <p
== unified in an indented list
numbers 5 >a; printf -- '   --- a\n   +++ a\n   @@ -2,3 +2,3 @@\n    2\n   -3\n   +x\n    4\n' >p
call <p
== unified indented by a tab
numbers 5 >a; printf -- '\t--- a\n\t+++ a\n\t@@ -2,3 +2,3 @@\n\t 2\n\t-3\n\t+x\n\t 4\n' >p
call <p
== unified behind X
numbers 5 >a; printf -- 'X--- a\nX+++ a\nX@@ -2,3 +2,3 @@\nX 2\nX-3\nX+x\nX 4\n' >p
call <p
== crlf in the header only
printf 'a\r\nb\r\nc\r\n' >a; printf -- '--- a\r\n+++ a\r\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n' >p
call <p
== crlf git
printf 'a\nb\nc\n' >a; printf -- 'diff --git a/a b/a\r\nindex 1..2 100644\r\n--- a/a\r\n+++ b/a\r\n@@ -1,3 +1,3 @@\r\n a\r\n-b\r\n+B\r\n c\r\n' >p
call -p1 <p
== crlf git rename
printf 'a\nb\nc\n' >a; printf -- 'diff --git a/a b/z\r\nsimilarity index 100%%\r\nrename from a\r\nrename to z\r\n' >p
call -p1 <p
== crlf creates
printf -- '--- /dev/null\r\n+++ n\r\n@@ -0,0 +1,2 @@\r\n+a\r\n+b\r\n' >p
call <p
== crlf creates binary
printf -- '--- /dev/null\r\n+++ n\r\n@@ -0,0 +1,2 @@\r\n+a\r\n+b\r\n' >p
call --binary <p
== crlf context diff
printf 'a\nb\nc\n' >a; printf '*** a\r\n--- a\r\n***************\r\n*** 1,3 ****\r\n  a\r\n! b\r\n  c\r\n--- 1,3 ----\r\n  a\r\n! B\r\n  c\r\n' >p
call <p
== crlf normal diff
printf 'a\nb\nc\n' >a; printf '2c2\r\n< b\r\n---\r\n> B\r\n' >p
call a <p
== crlf ed script
printf 'a\nb\nc\n' >a; printf '2c\r\nB\r\n.\r\n' >p
call a <p
== crlf file against lf patch context reject
printf 'a\r\nb\r\nc\r\n' >a; printf -- '--- a\n+++ a\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n' >p
call --reject-format=context <p
== crlf silent
printf 'a\nb\nc\n' >a; printf -- '--- a\r\n+++ a\r\n@@ -1,3 +1,3 @@\r\n a\r\n-b\r\n+B\r\n c\r\n' >p
call -s <p
== mixed line ends failing
printf 'a\r\nb\nc\r\n' >a; printf -- '--- a\n+++ a\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n' >p
call <p
== nul in a body
printf 'a\0b\nc\n' >a; printf -- '--- a\n+++ a\n@@ -1,2 +1,2 @@\n-a\0b\n+a\0B\n c\n' >p
call <p
== only an empty line
printf '\n' >p; numbers 3 >a
call <p
call a <p
== prose only
printf 'hello\nworld\n' >p
call <p
call --verbose <p
== only a header
printf -- '--- a\n+++ a\n' >p; numbers 3 >a
call <p
== header then prose
printf -- '--- a\n+++ a\nhello\n' >p; numbers 3 >a
call <p
