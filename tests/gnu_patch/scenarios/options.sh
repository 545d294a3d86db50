== ignores blanks
printf 'a  b\n\tc\nd \n' >f; printf -- '--- f\n+++ f\n@@ -1,3 +1,3 @@\n a b\n- c\n+C\n d\n' >p
call -p0 -l <p
call -p0 -l -R <p
== ignores blanks in a context diff
printf 'a\n\nb\n' >f; printf '*** f\n--- f\n***************\n*** 1,3 ****\n! a\n \n  b\n--- 1,3 ----\n! A\n \n  b\n' >p
call -p0 -l <p
call -p0 <p
== fuzz of each size
numbers 9 >f; printf -- '--- f\n+++ f\n@@ -2,7 +2,7 @@\n x\n y\n 4\n-5\n+V\n 6\n z\n w\n' >p
for n in 0 1 2 3 9; do call -p0 --dry-run -F$n <p; done
== fuzz at the ends
numbers 9 >f; printf -- '--- f\n+++ f\n@@ -1,4 +1,5 @@\n+0\n 1\n x\n 3\n 4\n' >p
call -p0 <p
== offset up and down
numbers 40 >f; sed 's/^20$/XX/' f >g; diff -u --label f --label f f g >p; cp f g; sed -i '1,9d' f; call -p0 <p
cp g f; for i in 1 2 3 4; do sed -i '1i x' f; done; call -p0 <p
== the same text twice
(numbers 5; echo; numbers 5; echo; numbers 5) >f; printf -- '--- f\n+++ f\n@@ -8,3 +8,3 @@\n 2\n-3\n+three\n 4\n' >p
call -p0 <p
printf -- '--- f\n+++ f\n@@ -11,3 +11,3 @@\n 2\n-3\n+three\n 4\n' >p
call -p0 <p
== hunks out of order
numbers 40 >f; printf -- '--- f\n+++ f\n@@ -30,3 +30,3 @@\n 30\n-31\n+x\n 32\n@@ -10,3 +10,3 @@\n 10\n-11\n+y\n 12\n' >p
call -p0 <p
== hunks that overlap
numbers 9 >f; printf -- '--- f\n+++ f\n@@ -3,3 +3,3 @@\n 3\n-4\n+x\n 5\n@@ -5,3 +5,3 @@\n 5\n-6\n+y\n 7\n' >p
call -p0 <p
== pure insertion
numbers 9 >f; printf -- '--- f\n+++ f\n@@ -4,0 +5 @@\n+x\n' >p
call -p0 <p
call -p0 <p
== pure insertion beyond the end
numbers 2 >f; printf -- '--- f\n+++ f\n@@ -9,0 +10 @@\n+x\n' >p
call -p0 <p
== pure removal
numbers 9 >f; printf -- '--- f\n+++ f\n@@ -4 +3,0 @@\n-4\n' >p
call -p0 <p
call -p0 <p
== already applied
numbers 9 >f; sed 's/^5$/V/' f >g; diff -u --label f --label f f g >p; mv g f
for args in '' -N -f -t '-N -s' '-f -s' '-t -s' '-N -r -' '--dry-run' '-N --dry-run' '-R --dry-run -s -f' '-R -p0 -s -f --dry-run'; do cp f f0; call -p0 $args <p; tree; rm -f f.* ; mv f0 f; done
== not applied reversed
numbers 9 >f; sed 's/^5$/V/' f >g; diff -u --label f --label f f g >p; rm g
for args in -R '-R -N' '-R -f' '-R -t' '-R -s -f --dry-run'; do cp f f0; call -p0 $args <p; tree; rm -f f.*; mv f0 f; done
== half applied
numbers 30 >f; sed 's/^5$/V/;s/^25$/X/' f >g; diff -u --label f --label f f g >p; rm g; cp f f0
sed -i 's/^5$/V/' f; call -p0 -N <p; rm -f f.*
cp f0 f; sed -i 's/^25$/X/' f; call -p0 -N <p
== force and batch together
numbers 9 >f; sed 's/^5$/V/' f >g; diff -u --label f --label f f g >p; mv g f
call -p0 -f -t <p
== long names by prefix
numbers 9 >f; sed 's/^5$/V/' f >g; diff -u --label f --label f f g >p; rm g
call --str=0 --dry --forw <p
call --ver <p
call --bac <p
call --reject <p
call --s <p
== bundles
numbers 9 >f; sed 's/^5$/V/' f >g; diff -u --label f --label f f g >p; rm g
call -Nbp0 -i p
call -sRp0 <p
call -bzp0 -i p f
== options behind operands
numbers 9 >f; sed 's/^5$/V/' f >g; diff -u --label f --label f f g >p; rm g
call f -b p --dry-run
POSIXLY_CORRECT=1 call f -b p
call -- f p
== unknown options
call -Q </dev/null
call --nonsense </dev/null
call --dry-run=x </dev/null
call -i </dev/null
call -xx </dev/null
== ambiguous option
call --re </dev/null
call --b </dev/null
== posix environment
numbers 9 >f; sed 's/^5$/V/' f >g; diff -u --label f --label f f g >p; rm g; sed -i '1i 0' f
POSIXLY_CORRECT=1 call -p0 <p
== get
printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-1\n+2\n' >p
call -p0 -g0 -f <p
PATCH_GET=0 call -p0 -f <p
== prereq
printf 'version 1.2\n1\n' >f; printf -- 'Prereq: 1.2\n--- f\n+++ f\n@@ -2 +2 @@\n-1\n+2\n' >p
call -p0 <p
call -p0 -R --verbose <p | grep -v 'Plan A'
== prereq missing
printf 'version 1.3\n1\n' >f; printf -- 'Prereq: 1.2\n--- f\n+++ f\n@@ -2 +2 @@\n-1\n+2\n' >p
call -p0 <p
call -p0 -t <p
call -p0 -f <p
== prereq of several words
printf 'version 1.2\n1\n' >f; printf -- 'Prereq: 1.2 beta\n--- f\n+++ f\n@@ -2 +2 @@\n-1\n+2\n' >p
call -p0 <p
== prereq in a word
printf 'version 1.23\n1\n' >f; printf -- 'Prereq: 1.2\n--- f\n+++ f\n@@ -2 +2 @@\n-1\n+2\n' >p
call -p0 -f <p
== kinds bind the first patch only
numbers 9 >f; printf -- '--- f\n+++ f\n@@ -2 +2 @@\n-2\n+two\n*** f\n--- f\n***************\n*** 4 ****\n! 4\n--- 4 ----\n! four\n' >p
call -p0 -u <p
call -p0 -c <p
== no file to patch
printf -- '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n+2\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-1\n+2\n' >p; echo 1 >g
call <p
call -p1 -f <p
call -p1 -t -s <p
call -p2 <p
== no file to patch with prose
printf -- 'hello\nworld\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n+2\n' >p
call -p1 <p
call -p1 --verbose <p
== no file for a context diff
printf '*** f\n--- f\n***************\n*** 1 ****\n! 1\n--- 1 ----\n! 2\n' >p
call <p
== no file for a git diff
printf -- 'diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n+2\n' >p
call -p1 <p
== malformed each way
numbers 9 >f
for hunk in '@@ -1,2 +1 @@\n 1\n*2\n' '@@ -x +1 @@\n-1\n+2\n' '@@ -1 1 @@\n-1\n+2\n' '@@ -1 +1 \n-1\n+2\n' '@@ -1,0 +1,0 @@\n' '@@ -1,3 +1,3 @@\n 1\n-2\n+x\n@@ -5 +5 @@\n-5\n+y\n' '@@ -,3 +1,3 @@\n 1\n-2\n+x\n 3\n'; do
printf -- "--- f\n+++ f\n$hunk" >p; call -p0 <p; done
== malformed behind a good file
echo 1 >f; echo 1 >g; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-1\n+2\n--- g\n+++ g\n@@ -1 +1 @@\n-1\n*2\n' >p
call -p0 <p
== malformed behind a failed hunk
numbers 9 >f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-x\n+2\n@@ -5 +5 @@\n-5\n*2\n' >p
call -p0 <p
== unterminated last line
numbers 3 >f; printf -- '--- f\n+++ f\n@@ -1,3 +1,3 @@\n 1\n-2\n+x\n 3' >p
call -p0 <p
printf -- '--- f\n+++ f\n@@ -1,3 +1,3 @@\n-1\n 2\n 3\n+x' >p
call -p0 <p
== rfc 934
numbers 3 >f; printf -- '- --- f\t2020-01-01 00:00:00 +0000\n- +++ f\t2020-01-01 00:00:00 +0000\n- @@ -1,3 +1,3 @@\n-  1\n- -2\n- +x\n-  3\n' >p
call -p0 <p
== comments in a patch
printf '1\n2\n3\n' >f; printf -- '--- f\n+++ f\n# why\n@@ -1,3 +1,3 @@\n 1\n# what\n-2\n+x\n 3\n' >p
call -p0 <p
== several d and i
mkdir -p d/e; numbers 3 >d/e/f; printf -- '--- f\n+++ f\n@@ -1,3 +1,3 @@\n 1\n-2\n+x\n 3\n' >d/e/p
call --directory=d/e --input=p -p0
