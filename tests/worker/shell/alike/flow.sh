true && echo yes || echo no; false && echo yes || echo no
---
false || false || echo third; true && true && echo both
---
if true; then echo a; fi; if false; then echo b; else echo c; fi
---
if false; then echo a; elif true; then echo b; else echo c; fi
---
if [ -f poem.txt ]
then
  echo file
fi
---
for i in 1 2 3; do if [ $i = 2 ]; then continue; fi; echo $i; done
---
for i in 1 2 3; do for j in a b; do [ $j = b ] && continue 2; [ $i = 3 ] && break 2; echo $i$j; done; done
---
i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done; echo end $i
---
i=0; until [ $i -ge 2 ]; do i=$((i+1)); done; echo $i
---
while read -r line; do echo "<$line>"; done < poem.txt
---
while IFS=, read -r a b c; do echo "$c $a"; done < table.csv
---
printf 'a b c\n' | { read x y; echo "$y"; }
---
(cd dir; pwd | sed 's,.*/,,'; x=1); pwd | sed 's,.*/,,'; echo [$x]
---
{ echo a; echo b; } | sort -r
---
{ echo a; echo b >&2; } 2>/dev/null
---
! true; echo $?; ! false; echo $?
---
echo a | cat | cat | tr a b
---
false | true; echo $?; true | false; echo $?
---
set -o pipefail; false | true; echo $?
---
set -e; echo a; false; echo b
---
set -e; if false; then :; fi; false || true; ! true; echo here
---
exit 7
---
(exit 3); echo $?
---
for x in a; do exit 4; done; echo no
---
eval 'echo a; x=5'; echo $x
---
echo 'y=7; echo in' > s.sh; . ./s.sh; echo $y; sh s.sh
---
printf 'echo $0 $1 $#\nexit 5\n' > s.sh; sh s.sh a b; echo $?
---
sh -c 'echo $0 $1' zero one; bash -c 'exit 9'; echo $?
---
echo 'echo piped' | sh
---
for x in; do echo no; done; echo $?
---
true; if false; then :; fi; echo $?
---
while false; do :; done; echo $?
---
x=0; for i in 1 2 3 4; do x=$((x+i)); done; echo $x
---
nosuchcommand 2>/dev/null; echo $?
---
echo a; # comment
echo b
---
echo a |
cat
---
true &&
echo next
---
if true; then (echo sub); fi; { echo brace; }
---
set -u; x=1; echo $x ${y:-default} ${y+set} "a b" *.csv; for i in 1 2; do echo $i; done
---
set -u; echo before; echo $((1+1)); y=; echo "[$y]"
---
echo one; set -u; x=${nothing-ok}; echo $x
---
for i in 1 2 3; do echo $i; [ $i = 2 ] && break; done; echo after $?
---
x=5; while [ $x -gt 0 ]; do x=$((x-1)); if [ $x = 2 ]; then continue; fi; printf '%s ' $x; done; echo
---
f=poem.txt; if [ -f "$f" ] && [ -r "$f" ]; then echo readable; else echo not; fi
---
a=1; b=2; if [ $a -eq 1 ] && ! [ $b -eq 1 ]; then echo both; fi
---
for f in *.txt; do [ -s "$f" ] || { echo "$f is empty"; continue; }; done
---
echo start && cd dir && ls && cd .. && echo end
---
x=$(for i in 3 1 2; do echo $i; done | sort); echo $x
---
echo a; (echo b; exit 2) || echo "failed with $?"; echo c
---
set -- $(echo x y z); echo $2; shift 2; echo $1 $#
