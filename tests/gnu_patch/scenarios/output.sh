== backup names
for args in '-b' '-b -z .bak' '-b -B pre-' '-b -B dir/' '-b -Y base-' '-b -Y sub/' '-b -B pre- -Y base- -z .suf' '-b -V none' '-b -V numbered' '-b -V existing' '-z .bak' '-B pre-' '-V numbered'; do
mkdir -p d; echo old >d/f; printf -- '--- d/f\n+++ d/f\n@@ -1 +1 @@\n-old\n+new\n' >p
call -p0 $args <p; tree; rm -rf ./*; done
== backup once a run
echo 1 >f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-1\n+2\n--- f\n+++ f\n@@ -1 +1 @@\n-2\n+3\n' >p
call -p0 -b <p
== backup of a new file
printf -- '--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+new\n' >p
call -p0 -b <p
== backup numbers go on
echo 1 >f; : >f.~1~; : >f.~9~; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-1\n+2\n' >p
call -p0 -b <p
== backup of a failed patch
echo 1 >f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-x\n+2\n' >p
call -p0 <p; rm -f f.orig f.rej
call -p0 --no-backup-if-mismatch <p; rm -f f.orig f.rej
call -p0 --backup-if-mismatch --posix <p
== backup words
echo 1 >f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-1\n+2\n' >p
for word in t nil never simple off num e n x ''; do call -p0 --dry-run -b -V "$word" <p; done
== backup words from the environment
echo 1 >f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-1\n+2\n' >p
VERSION_CONTROL=bad call -p0 --dry-run -b <p
PATCH_VERSION_CONTROL=t VERSION_CONTROL=bad call -p0 -b <p
== backup suffix from the environment
echo 1 >f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-1\n+2\n' >p
SIMPLE_BACKUP_SUFFIX=.old call -p0 -b <p
SIMPLE_BACKUP_SUFFIX= call -p0 -b -R <p
== empty backup words
for args in "-B" "-Y" "-z"; do call $args '' </dev/null; done
== obsolete backup
echo 1 >f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-1\n+2\n' >p
call -b .bak f p
== output file
echo 1 >f; chmod 600 f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-1\n+2\n' >p
call -p0 -o out <p
== output file of two
echo 1 >f; echo 1 >g; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-1\n+2\n--- g\n+++ g\n@@ -1 +1 @@\n-1\n+3\n' >p
call -p0 -o out <p
== output file without newline
printf 1 >f; echo 1 >g; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-1\n\\ No newline at end of file\n+2\n\\ No newline at end of file\n--- g\n+++ g\n@@ -1 +1 @@\n-1\n+3\n' >p
call -p0 -o out <p
== output to the stream
echo 1 >f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-1\n+2\n' >p
call -p0 -o - <p
call -p0 -o - -s <p
call -p0 -o - --verbose <p
== output of a failed patch
echo 1 >f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-x\n+2\n' >p
call -p0 -o out <p
call -p0 -o out -r - <p
== output with rejects
echo 1 >f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-x\n+2\n' >p
call -p0 -o out -r rejects <p
== output and backup
echo 1 >f; echo x >out; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-1\n+2\n' >p
call -p0 -b -o out <p
== output of a removal
echo 1 >f; printf -- '--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n' >p
call -p0 -o out <p
== output dry
echo 1 >f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-1\n+2\n' >p
call -p0 --dry-run -o out <p
== output with an empty patch
echo 1 >f; : >p
call -o out f <p
call -o f f <p
call -o out missing <p
== output into a folder
mkdir d; echo 1 >f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-1\n+2\n' >p
call -p0 -o d/out <p
call -p0 -o d <p
call -p0 -o e/out <p
== reject file
printf '1\n' >f; printf '1\n' >g; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-x\n+2\n--- g\n+++ g\n@@ -1 +1 @@\n-y\n+3\n' >p
call -p0 -r all <p
call -p0 -r all <p
== reject file in a folder
printf '1\n' >f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-x\n+2\n' >p
call -p0 -r d/all <p
== reject thrown away
printf '1\n' >f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-x\n+2\n' >p
call -p0 -r - <p
== rejects of two patches of one file
printf '1\n2\n' >f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-x\n+X\n--- f\n+++ f\n@@ -2 +2 @@\n-y\n+Y\n' >p
call -p0 -f <p
call -p0 -f <p
== rejects with shifted numbers
numbers 30 >f; sed '3a x\ny' f | sed 's/^15$/XV/;s/^25$/TWENTY/' >g; diff -u --label f --label f f g >p; rm g; sed -i 's/^15$/?/;s/^25$/?/' f
call -p0 <p
== rejects of an offset file
numbers 30 >f; sed 's/^5$/V/;s/^15$/XV/' f >g; diff -u --label f --label f f g >p; rm g; sed -i '1i 0' f; sed -i 's/^15$/?/' f
call -p0 <p
== rejects of what was created
echo x >f; printf -- '--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+new\n' >p
call -p0 -f <p
== rejects dry
printf '1\n' >f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-x\n+2\n' >p
call -p0 --dry-run <p
== rejects without newline
printf '1' >f; printf -- '--- f\n+++ f\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+2\n\\ No newline at end of file\n' >p
call -p0 <p
call -p0 --reject-format=context <p
== rejects reversed
printf '1\n' >f; printf -- '--- f\n+++ f\n@@ -1,2 +1,2 @@\n-x\n+2\n y\n' >p
call -p0 -R -f <p
== bad reject format
call --reject-format=x </dev/null
call --reject-format </dev/null
== set time
echo 1 >f; touch -d @1577836800 f; printf -- '--- f\t2020-01-01 00:00:00.000000000 +0000\n+++ f\t2020-02-02 00:00:00.000000000 +0000\n@@ -1 +1 @@\n-1\n+2\n' >p
call -p0 -Z <p
time_of f
== set time of a changed file
echo 1 >f; touch -d @1 f; printf -- '--- f\t2020-01-01 00:00:00.000000000 +0000\n+++ f\t2020-02-02 00:00:00.000000000 +0000\n@@ -1 +1 @@\n-1\n+2\n' >p
call -p0 -Z <p
== set time forced
echo 1 >f; touch -d @1 f; printf -- '--- f\t2020-01-01 00:00:00.000000000 +0000\n+++ f\t2020-02-02 00:00:00.000000000 +0000\n@@ -1 +1 @@\n-1\n+2\n' >p
call -p0 -Z -f <p
time_of f
== set time local
echo 1 >f; touch -d '2020-01-01 00:00:00 +0100' f; printf -- '--- f\t2020-01-01 00:00:00\n+++ f\t2020-02-02 00:00:00\n@@ -1 +1 @@\n-1\n+2\n' >p
TZ=XXX-1 call -p0 -T <p
time_of f
== set time as utc
echo 1 >f; touch -d '2020-01-01 00:00:00 +0000' f; printf -- '--- f\t2020-01-01 00:00:00\n+++ f\t2020-02-02 00:00:00\n@@ -1 +1 @@\n-1\n+2\n' >p
TZ=XXX-1 call -p0 -Z <p
time_of f
== set time of a misfit
printf '0\n1\n' >f; touch -d @1577836800 f; printf -- '--- f\t2020-01-01 00:00:00.000000000 +0000\n+++ f\t2020-02-02 00:00:00.000000000 +0000\n@@ -1 +1 @@\n-1\n+2\n' >p
call -p0 -Z <p
== set time of a new file
printf -- '--- /dev/null\n+++ f\t2020-02-02 00:00:00.000000000 +0000\n@@ -0,0 +1 @@\n+2\n' >p
call -p0 -Z <p
time_of f
== set time reversed
echo 2 >f; touch -d @1580601600 f; printf -- '--- f\t2020-01-01 00:00:00.000000000 +0000\n+++ f\t2020-02-02 00:00:00.000000000 +0000\n@@ -1 +1 @@\n-1\n+2\n' >p
call -p0 -Z -R <p
time_of f
== set time twice in a run
echo 1 >f; touch -d @1577836800 f; printf -- '--- f\t2020-01-01 00:00:00 +0000\n+++ f\t2020-02-02 00:00:00 +0000\n@@ -1 +1 @@\n-1\n+2\n--- f\t2020-02-02 00:00:00 +0000\n+++ f\t2020-03-03 00:00:00 +0000\n@@ -1 +1 @@\n-2\n+3\n' >p
call -p0 -Z <p
== ifdef
numbers 9 >f; sed 's/^2$/two/;5d;7a x' f >g; diff -u --label f --label f f g >p; rm g
call -p0 -D NAME <p
== ifdef at the ends
numbers 3 >f; printf '0\n1\n2\n' >g; diff -u --label f --label f f g >p; rm g
call -p0 -D NAME <p
== ifdef without newline
printf '1\n2' >f; printf '1\n3' >g; diff -u --label f --label f f g >p; rm g
call -p0 -D NAME <p
== ifdef of a context diff
numbers 9 >f; sed 's/^2$/two/;5d;7a x' f >g; diff -c --label f --label f f g >p; rm g
call -p0 -D NAME <p
== ifdef of a normal diff
numbers 9 >f; sed 's/^2$/two/;5d;7a x' f >g; diff f g >p; rm g
call -D NAME f <p
== ifdef of a new file
printf -- '--- /dev/null\n+++ f\n@@ -0,0 +1 @@\n+new\n' >p
call -p0 -D NAME <p
== ifdef of a removal
echo 1 >f; printf -- '--- f\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n' >p
call -p0 -D NAME <p
== ifdef reversed
numbers 9 >f; sed 's/^2$/two/;5d;7a x' f >g; diff -u --label f --label f f g >p; mv g f
call -p0 -R -D NAME <p
== merge that fits
numbers 9 >f; sed 's/^5$/V/' f >g; diff -u --label f --label f f g >p; rm g; sed -i '1i 0' f
call -p0 --merge <p
== merge beside a change
numbers 9 >f; sed 's/^5$/V/' f >g; diff -u --label f --label f f g >p; rm g; sed -i 's/^3$/III/' f
call -p0 --merge <p
== merge conflict
numbers 9 >f; sed 's/^5$/V/' f >g; diff -u --label f --label f f g >p; rm g; sed -i 's/^5$/fünf/' f
call -p0 --merge <p
== merge conflict diff3
numbers 9 >f; sed 's/^5$/V/' f >g; diff -u --label f --label f f g >p; rm g; sed -i 's/^5$/fünf/' f
call -p0 --merge=diff3 <p
== merge conflict silent
numbers 9 >f; sed 's/^5$/V/' f >g; diff -u --label f --label f f g >p; rm g; sed -i 's/^5$/fünf/' f
call -p0 --merge -s <p
== merge conflict verbose
numbers 19 >f; sed 's/^5$/V/;s/^15$/XV/' f >g; diff -u --label f --label f f g >p; rm g; sed -i 's/^5$/fünf/' f
call -p0 --merge --verbose <p | grep -v 'Plan A'
== merge already there
numbers 9 >f; sed 's/^5$/V/' f >g; diff -u --label f --label f f g >p; mv g f
call -p0 --merge <p
== merge partly there
numbers 9 >f; sed 's/^4$/IV/;s/^6$/VI/' f >g; diff -u --label f --label f f g >p; rm g; sed -i 's/^4$/IV/' f
call -p0 --merge <p
== merge common ends
numbers 9 >f; sed '5c a\nb\nc' f >g; diff -u --label f --label f f g >p; rm g; sed -i '5c a\nx\nc' f
call -p0 --merge <p
== merge deleted there
numbers 9 >f; sed 's/^5$/V/' f >g; diff -u --label f --label f f g >p; rm g; sed -i 5d f
call -p0 --merge <p
== merge inserted there
numbers 9 >f; sed 's/^5$/V/' f >g; diff -u --label f --label f f g >p; rm g; sed -i '5i x' f
call -p0 --merge <p
== merge of two hunks
numbers 30 >f; sed 's/^5$/V/;s/^25$/TWENTYFIVE/' f >g; diff -u --label f --label f f g >p; rm g; sed -i 's/^5$/5!/;s/^24$/24!/' f
call -p0 --merge <p
== merge at the start
numbers 9 >f; sed '1i 0' f >g; diff -u --label f --label f f g >p; rm g; sed -i '1i x' f
call -p0 --merge <p
== merge at the end
numbers 9 >f; echo 10 >>f; sed 's/^10$/ten/' f >g; diff -u --label f --label f f g >p; rm g; echo more >>f
call -p0 --merge <p
== merge of nothing alike
numbers 9 >f; printf -- '--- f\n+++ f\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n' >p
call -p0 --merge <p
== merge of an insertion
numbers 9 >f; sed '5a x' f >g; diff -u --label f --label f f g >p; rm g; sed -i '5a y' f
call -p0 --merge <p
== merge of a removal
numbers 3 >f; printf -- '--- f\n+++ /dev/null\n@@ -1,3 +0,0 @@\n-1\n-2\n-3\n' >p; sed -i s/2/x/ f
call -p0 --merge <p
== merge of blanks
printf 'a  b\nc\nd\n' >f; printf -- '--- f\n+++ f\n@@ -1,3 +1,3 @@\n a b\n-c\n+C\n d\n' >p; sed -i 's/^d$/D/' f
call -p0 --merge -l <p
== merge dry
numbers 9 >f; sed 's/^5$/V/' f >g; diff -u --label f --label f f g >p; rm g; sed -i 's/^5$/fünf/' f
call -p0 --merge --dry-run <p
== merge to a file
numbers 9 >f; sed 's/^5$/V/' f >g; diff -u --label f --label f f g >p; rm g; sed -i 's/^5$/fünf/' f
call -p0 --merge -o out <p
== merge of a context diff
numbers 9 >f; sed 's/^5$/V/' f >g; diff -c --label f --label f f g >p; rm g; sed -i 's/^5$/fünf/' f
call -p0 --merge <p
== merge of another style
call --merge=x </dev/null
