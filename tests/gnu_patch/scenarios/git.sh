== rename
numbers 3 >a; printf 'diff --git a/a b/z\nsimilarity index 100%%\nrename from a\nrename to z\n' >p
call -p1 <p
call -p1 <p
== rename with change
numbers 3 >a; printf -- 'diff --git a/a b/d/z\nsimilarity index 80%%\nrename from a\nrename to d/z\nindex 1..2 100644\n--- a/a\n+++ b/d/z\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n' >p
call -p1 <p
call -p1 -R <p
== rename with change twice
numbers 3 >a; printf -- 'diff --git a/a b/z\nsimilarity index 80%%\nrename from a\nrename to z\nindex 1..2 100644\n--- a/a\n+++ b/z\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n' >p
call -p1 <p
call -p1 -N <p
== rename with a failing hunk
numbers 3 >a; printf -- 'diff --git a/a b/z\nsimilarity index 80%%\nrename from a\nrename to z\nindex 1..2 100644\n--- a/a\n+++ b/z\n@@ -1,3 +1,3 @@\n 1\n-x\n+two\n 3\n' >p
call -p1 <p
== rename with backup
numbers 3 >a; printf 'diff --git a/a b/z\nsimilarity index 100%%\nrename from a\nrename to z\n' >p
call -p1 -b <p
== rename dry
numbers 3 >a; printf 'diff --git a/a b/z\nsimilarity index 100%%\nrename from a\nrename to z\n' >p
call -p1 --dry-run <p
== rename empties a folder
mkdir d; numbers 3 >d/a; printf 'diff --git a/d/a b/z\nsimilarity index 100%%\nrename from d/a\nrename to z\n' >p
call -p1 <p
== rename with -p0
numbers 3 >a; printf 'diff --git a z\nsimilarity index 100%%\nrename from a\nrename to z\n' >p
call -p0 <p
== rename with a blank in the name
numbers 3 >'a b'; printf 'diff --git "a/a b" "b/c d"\nsimilarity index 100%%\nrename from a b\nrename to c d\n' >p
call -p1 <p
== exchange of two files
echo 1 >a; echo 2 >b; printf 'diff --git a/a b/b\nsimilarity index 100%%\nrename from a\nrename to b\ndiff --git a/b b/a\nsimilarity index 100%%\nrename from b\nrename to a\n' >p
call -p1 <p
== copy
numbers 3 >a; printf 'diff --git a/a b/z\nsimilarity index 100%%\ncopy from a\ncopy to z\n' >p
call -p1 <p
== copy with change of both
numbers 3 >a; printf -- 'diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\ndiff --git a/a b/z\nsimilarity index 80%%\ncopy from a\ncopy to z\nindex 1..3 100644\n--- a/a\n+++ b/z\n@@ -1,3 +1,3 @@\n 1\n-2\n+zwei\n 3\n' >p
call -p1 <p
== copy reversed
numbers 3 >a; numbers 3 >z; printf 'diff --git a/a b/z\nsimilarity index 100%%\ncopy from a\ncopy to z\n' >p
call -p1 -R <p
== copy of what is missing
printf 'diff --git a/a b/z\nsimilarity index 100%%\ncopy from a\ncopy to z\n' >p
call -p1 <p
== mode
numbers 3 >a; printf 'diff --git a/a b/a\nold mode 100644\nnew mode 100755\n' >p
call -p1 <p
call -p1 <p
call -p1 -R <p
== mode of a missing file
printf 'diff --git a/a b/a\nold mode 100644\nnew mode 100755\n' >p
call -p1 <p
== mode with change
numbers 3 >a; printf -- 'diff --git a/a b/a\nold mode 100644\nnew mode 100755\nindex 1..2\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n' >p
call -p1 <p
== mode with a failing change
numbers 3 >a; printf -- 'diff --git a/a b/a\nold mode 100644\nnew mode 100755\nindex 1..2\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n-x\n+two\n 3\n' >p
call -p1 <p
== odd modes
numbers 3 >a; for mode in 100600 10075 1007555; do printf "diff --git a/a b/a\nold mode 100644\nnew mode $mode\n" >p; call -p1 <p; stat -c %a a; done
== mode of a submodule
numbers 3 >a; printf "diff --git a/a b/a\nold mode 100644\nnew mode 160000\n" >p
call -p1 <p
== mode with a set user id
numbers 3 >a; printf "diff --git a/a b/a\nold mode 100644\nnew mode 104755\n" >p
call -p1 <p
== new file
printf -- 'diff --git a/n b/n\nnew file mode 100755\nindex 0000000..2\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+new\n' >p
call -p1 <p
call -p1 -N <p
call -p1 -R <p
== new empty file
printf -- 'diff --git a/n b/n\nnew file mode 100644\nindex 0000000..e69de29\n' >p
call -p1 <p
call -p1 <p
call -p1 -R <p
== new empty file in a folder
printf -- 'diff --git a/d/n b/d/n\nnew file mode 100644\nindex 0000000..e69de29\n' >p
call -p1 <p
== removed file
echo old >n; printf -- 'diff --git a/n b/n\ndeleted file mode 100644\nindex 1..0000000\n--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n' >p
call -p1 <p
call -p1 -N <p
== removed empty file
: >n; printf -- 'diff --git a/n b/n\ndeleted file mode 100644\nindex e69de29..0000000\n' >p
call -p1 <p
== emptied by its hash
echo old >n; printf -- 'diff --git a/n b/n\nindex 1..e69de29 100644\n--- a/n\n+++ b/n\n@@ -1 +0,0 @@\n-old\n' >p
call -p1 <p
== link created
printf -- 'diff --git a/l b/l\nnew file mode 120000\nindex 0000000..2\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+target\n\\ No newline at end of file\n' >p
call -p1 <p
call -p1 -R <p
== link changed
ln -s old l; printf -- 'diff --git a/l b/l\nindex 1..2 120000\n--- a/l\n+++ b/l\n@@ -1 +1 @@\n-old\n\\ No newline at end of file\n+new\n\\ No newline at end of file\n' >p
call -p1 <p
== link changed failing
ln -s other l; printf -- 'diff --git a/l b/l\nindex 1..2 120000\n--- a/l\n+++ b/l\n@@ -1 +1 @@\n-old\n\\ No newline at end of file\n+new\n\\ No newline at end of file\n' >p
call -p1 -f <p
== link removed
ln -s old l; printf -- 'diff --git a/l b/l\ndeleted file mode 120000\nindex 1..0000000\n--- a/l\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n\\ No newline at end of file\n' >p
call -p1 --verbose <p | grep -v 'Plan A'
== link where a file is
echo old >l; printf -- 'diff --git a/l b/l\nindex 1..2 120000\n--- a/l\n+++ b/l\n@@ -1 +1 @@\n-old\n\\ No newline at end of file\n+new\n\\ No newline at end of file\n' >p
call -p1 <p
== link becomes file
ln -s old l; printf -- 'diff --git a/l b/l\ndeleted file mode 120000\nindex 1..0000000\n--- a/l\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n\\ No newline at end of file\ndiff --git a/l b/l\nnew file mode 100644\nindex 0000000..2\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+new\n' >p
call -p1 <p
== file type changes
ln -s old l; printf -- 'diff --git a/l b/l\nold mode 120000\nnew mode 100644\nindex 1..2\n--- a/l\n+++ b/l\n@@ -1 +1 @@\n-old\n+new\n' >p
call -p1 <p
== binary patch between others
numbers 3 >a; numbers 3 >c; printf 'x' >b; printf -- 'diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\ndiff --git a/b b/b\nindex 1..2 100644\nGIT binary patch\nliteral 1\nIcmZ0\n\nliteral 1\nIcmZ0\n\ndiff --git a/c b/c\nindex 1..2 100644\n--- a/c\n+++ b/c\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n' >p
call -p1 <p
== two diffs of one file in one input
numbers 3 >a; printf -- 'diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\ndiff --git a/a b/a\nindex 2..3 100644\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n-1\n+one\n two\n 3\n' >p
call -p1 <p
== git then plain of one file
numbers 3 >a; printf -- 'diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n-1\n+one\n two\n 3\n' >p
call -p1 <p
== git then a fatal error
numbers 3 >a; numbers 3 >c; printf -- 'diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\ndiff --git a/c b/c\nindex 1..2 100644\n--- a/c\n+++ b/c\n@@ -1,3 +1,3 @@\n 1\n-2\n*two\n 3\n' >p
call -p1 <p
== names differ between lines
numbers 3 >a; printf -- 'diff --git a/a b/a\nindex 1..2 100644\n--- a/x\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n' >p
call -p1 <p
== mail with a signature
numbers 3 >a; printf -- 'From 1 Mon Sep 17 00:00:00 2001\nFrom: A <a@b>\nSubject: [PATCH] x\n\n---\n a | 2 +-\n 1 file changed\n\ndiff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n-- \n2.40\n\n' >p
call -p1 <p
call -p1 -R --verbose <p | grep -v 'Plan A'
== long index ids in capitals
echo old >n; printf -- 'diff --git a/n b/n\nindex ABC..DEF 100644\n--- a/n\n+++ b/n\n@@ -1 +1 @@\n-old\n+new\n' >p
call -p1 <p
