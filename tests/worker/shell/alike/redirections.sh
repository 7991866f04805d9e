echo a > out; echo b >> out; cat out
---
cat < poem.txt > copy.txt; cmp poem.txt copy.txt && echo same
---
ls nosuchfile 2> err; [ -s err ] && echo has
---
{ echo o; echo e >&2; } > both 2>&1; sort both
---
{ echo o; echo e >&2; } 2>&1 > only; cat only
---
echo x > dir/new; ls dir
---
> made; ls -l made | wc -l
---
cat << END
line $((1+1))
"quoted" \$x $HOME_NOT
END
---
cat <<'END'
line $x `y`
END
---
cat <<-END
	tabbed
	END
---
cat <<A; cat <<B
a
A
b
B
---
cat <<END | tr a-z A-Z > up; cat up
abc
END
---
x=$(cat <<END
in here
END
); echo "$x"
---
echo hidden > /dev/null; echo shown
---
while read -r l; do echo "$l"; done <<END
1
2
END
---
for i in 1 2; do echo $i; done > loop; cat loop
---
echo a 1>&2 2>/dev/null; echo b
---
sort < numbers.txt | head -2 > few; cat few
---
echo a &> all; cat all; echo b > all 2>&1; cat all
---
cat nosuch < poem.txt 2>/dev/null; echo $?
---
echo x > nosuchdir/file 2>/dev/null; echo $?
---
true > f; [ -e f ] && echo made
---
echo a | cat - poem.txt | head -2
---
cat < nosuch; echo $?
---
x=y; cat <<< "a $x"; tr a b <<< aaa; read v <<< word; echo $v
