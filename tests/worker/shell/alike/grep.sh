grep the poem.txt; grep -i SUGAR poem.txt; grep -n is poem.txt; grep -v is poem.txt; grep -c is poem.txt; grep -l is *.txt; grep -q rose poem.txt; echo $?
---
grep nothing poem.txt; echo $?; grep x nosuch 2>/dev/null; echo $?; grep -s x nosuch; echo $?
---
grep -o 'i[st]' poem.txt; grep -on is poem.txt; grep -w is poem.txt; grep -x 'Sugar is sweet' poem.txt; grep -h the poem.txt no_end.txt
---
grep -E 'rose|blue' poem.txt; grep 'rose\|blue' poem.txt; grep -E '^(the|and)' poem.txt; grep '^the.*red$' poem.txt; grep -F 'a.b' poem.txt; echo $?
---
grep -r two dir; grep -rn o dir | sort; grep -rl o dir | sort; cd dir; grep -r three; grep -r three .
---
grep -m 1 is poem.txt; grep -A1 violet poem.txt; grep -B1 violet poem.txt; grep -C1 Sugar poem.txt; grep -n -A1 rose poem.txt; grep -A1 -E 'rose|you' poem.txt
---
grep -e the -e and poem.txt; grep -c x empty.txt poem.txt; grep '' empty.txt; grep -n '' no_end.txt; echo abc | grep b; grep -vc is poem.txt
---
grep '[0-9]' table.csv; grep '[[:digit:]]\{3\}' table.csv; grep -E '[0-9]{3}' table.csv; grep 'a*' empty.txt; grep '\.' numbers.txt; grep -E '\bblue\b' poem.txt
---
grep -E '(a)\1' poem.txt; echo 'a+b' | grep 'a+b'; echo 'aab' | grep -E 'a+b'; echo 'a{2}' | grep 'a{2}'; echo '*x' | grep '*x'; echo 'a|b' | grep 'a|b'
---
grep -r --include='*.py' o dir; grep -rh o dir --include='*.txt' | sort; grep -L rose *.txt
---
printf 'a\nb\n' > pats; grep -f pats -w dir/two.txt poem.txt; grep -H is poem.txt; egrep 'rose|blue' poem.txt; fgrep . numbers.txt
