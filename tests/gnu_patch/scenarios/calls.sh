== dpkg source quilt applies
mkdir -p d .pc/fix.patch; numbers 20 >d/f; printf 'old\n' >gone; printf -- '--- a/d/f\n+++ b/d/f\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n--- /dev/null\n+++ b/new/g\n@@ -0,0 +1 @@\n+g\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n' >p
PATCH_GET=0 call -t -F 0 -N -p1 -u -V never -E -b -B .pc/fix.patch/ --reject-file=- <p
PATCH_GET=0 call -R -t -N -p1 -u -V never -E --no-backup-if-mismatch <p
== dpkg source quilt at an offset
mkdir -p .pc/fix.patch; numbers 20 >f; sed -i '1i 0' f; printf -- '--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n' >p
PATCH_GET=0 call -t -F 0 -N -p1 -u -V never -E -b -B .pc/fix.patch/ --reject-file=- <p
== dpkg source quilt with fuzz fails
mkdir -p .pc/fix.patch; numbers 20 | sed 's/^4$/IV/' >f; printf -- '--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n' >p
PATCH_GET=0 call -t -F 0 -N -p1 -u -V never -E -b -B .pc/fix.patch/ --reject-file=- <p
== dpkg source format one
mkdir up; cd up; numbers 20 >f; printf -- '--- up.orig/f\n+++ up/f\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n--- up.orig/debian/rules\n+++ up/debian/rules\n@@ -0,0 +1,2 @@\n+#!/usr/bin/make -f\n+x:\n' >../p
PATCH_GET=0 call -t -F 0 -N -p1 -u -V never -b -z .dpkg-orig <../p
PATCH_GET=0 call -s -t -F 0 -N -p1 -u -V never -b -z .dpkg-orig --dry-run <../p
== quilt pushes and pops
numbers 20 >f; printf -- 'Fix it\n\nIndex: w/f\n===================================================================\n--- w.orig/f\n+++ w/f\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\nIndex: w/n\n===================================================================\n--- /dev/null\n+++ w/n\n@@ -0,0 +1 @@\n+n\n' >p
call -p1 --backup --prefix=.pc/fix.patch/ -f -r rejects -i p
cp .pc/fix.patch/f f; rm n; sed -i '1i 0' f
call -p1 --backup --prefix=.pc/fix.patch/ -f -r rejects -s -i p
call -p1 -R --backup --prefix=.pc/fix.patch/ -f -r rejects -F0 -i p
== quilt push that fails
numbers 20 | sed 's/^5$/V/' >f; printf -- '--- w.orig/f\n+++ w/f\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n@@ -14,3 +14,3 @@\n 14\n-15\n+fifteen\n 16\n' >p
call -p1 --backup --prefix=.pc/fix.patch/ -f -r rejects -i p
call -p1 --backup --prefix=.pc/fix.patch/ -f -r rejects --merge -i p
== quilt push that is applied already
numbers 20 | sed 's/^5$/five/' >f; printf -- '--- w.orig/f\n+++ w/f\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n' >p
call -p1 --backup --prefix=.pc/fix.patch/ -f -r rejects -i p
== quilt series
numbers 60 >f; : >series; n=1
while [ $n -le 20 ]; do cp f g; sed "$((n * 3 - 1))s/.*/line of patch $n/" f >h; diff -u --label a/f --label b/f f h >$n.patch; mv h f; mv g 0.$n; n=$((n + 1)); done
cp 0.1 f; rm 0.*; n=1
while [ $n -le 20 ]; do call -p1 --backup --prefix=.pc/$n/ -f -r rejects -i $n.patch; n=$((n + 1)); done
n=20
while [ $n -ge 1 ]; do cmp .pc/$n/f f >same; call -p1 -R -s -f --dry-run -i $n.patch; cp .pc/$n/f f; n=$((n - 1)); done
rm -rf .pc ./*.patch same series
== rpm autosetup
mkdir -p pkg-1/src; cd pkg-1; numbers 20 >src/f; printf -- '--- pkg-1.orig/src/f\n+++ pkg-1/src/f\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n' >../p
call -p1 -s --fuzz=0 --no-backup-if-mismatch -f <../p
call -p1 -s --fuzz=0 <../p
== rpm patch macro with a suffix
mkdir pkg-1; cd pkg-1; numbers 20 >f; printf -- '--- pkg-1.orig/f\n+++ pkg-1/f\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n' >../p
call -p1 -b --suffix .fix --fuzz=0 <../p
== gentoo eapply
numbers 20 >f; sed -i '1i 0' f; printf -- '--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n' >p
call -p1 -f -s -g0 --no-backup-if-mismatch <p
call -p1 -f -g0 --no-backup-if-mismatch <p
== buildroot
mkdir d; numbers 20 >d/f; sed -i '1i 0' d/f; printf -- 'From 1\nSubject: x\n\n--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n' >p
call -F0 -g0 -p1 -E --no-backup-if-mismatch -d d -t -N <p
call -F0 -g0 -p1 -E --no-backup-if-mismatch -d d -t -N <p
== homebrew
numbers 20 >f; printf -- 'diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n' >p
call -g 0 -f -p1 -i p
call -g 0 -f -p1 -i p
== swe bench
numbers 20 | sed 's/^3$/III/;s/^7$/VII/' >f; printf -- 'diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n' >p
call --batch --fuzz=5 -p1 -i p
call --batch --fuzz=5 -p1 -i p
== swe bench with counts that are wrong
numbers 20 >f; printf -- 'diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -2,9 +2,9 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n' >p
call --batch --fuzz=5 -p1 -i p
== applied already or not
numbers 20 >f; printf -- '--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n' >p
call -R -p1 -s -f --dry-run <p
call -p1 <p
call -R -p1 -s -f --dry-run <p
call -N -p1 --dry-run --silent <p
== arch
numbers 20 >f; printf -- '--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n' >p
call -Np1 -i p
call -Np1 -i p
call -Nbp1 -i p
call -p1 -R -i p
== openwrt and yocto
mkdir d; numbers 20 >d/f; printf -- '--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n' >p
call -f -p1 -d d <p
call -p1 -d d --no-backup-if-mismatch -r - -N <p
