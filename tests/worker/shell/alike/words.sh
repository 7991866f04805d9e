echo a   b  c
---
echo 'a   b' "c  d" e\ f
---
echo "a'b" 'c"d' \$x \\ '\n'
---
x=5; echo $x ${x} "$x" '$x' ${x}y $xy
---
x='a  b'; echo $x; echo "$x"
---
echo ${nothing:-other} ${nothing-x} ${nothing:+no} "${nothing:-a b}"
---
x=v; echo ${x:-other} ${x:+yes} ${x:=w} ${y:=z} $y
---
x=; echo ${x:-empty} ${x-unset}.
---
x=abcabc; echo ${#x} ${x#a} ${x#*b} ${x##*b} ${x%c} ${x%b*} ${x%%b*}
---
p=/a/b/c.tar.gz; echo ${p##*/} ${p%/*} ${p%.gz} ${p%%.*}
---
echo $((1 + 2 * 3)) $(( (1+2)*3 )) $((7/2)) $((-7/2)) $((7%3)) $((1<<4)) $((5>3)) $((5==3)) $((!0)) $((010)) $((0x1f))
---
x=4; echo $((x*x)) $(($x+1)) $((x > 3 ? 10 : 20))
---
echo $(echo a; echo b) "$(echo c; echo d)" $(echo $(echo nested))
---
echo *.txt; echo '*.txt' "*.txt" \*.txt
---
echo dir/*; echo d*/t*; echo nomatch*; echo [np]*.txt; echo ?oem.txt; echo .h*; echo */
---
x='*.csv'; echo $x; echo "$x"
---
echo [!a-m]*.txt [[:alpha:]]oem.txt
---
for f in *.txt; do echo "<$f>"; done
---
x='a\b'; echo $x "$x"
---
echo a#b # comment
---
echo one \
  two
---
echo "a
b"
---
set -- a 'b c' d; echo $# $1 $2; for x in "$@"; do echo "[$x]"; done; for x in $*; do echo "($x)"; done; shift; echo $1
---
IFS=:; x=a:b::c; for p in $x; do echo "[$p]"; done
---
echo "" a '' b
---
x=""; for w in $x a; do echo "[$w]"; done
---
x=' a b '; echo [$x]; echo "[$x]"; echo a${x}b
---
echo ~/x | grep -c '^/'
---
a=1 b=2; echo $a$b; a=3 env | grep '^a='; echo $a
---
x=1; x=2 true; echo $x
---
echo "$(printf 'a\n\n\n')"x
---
echo 'it'"'"'s'
---
echo $?; false; echo $?; x=$(false); echo $?; x=$?; echo $x
---
echo {} a{b
---
echo "${x:-$(echo sub)}" ${x:-'q q'} "${x:-"d d"}"
