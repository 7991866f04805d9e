diff -u poem.txt poem.txt; echo $?; sed 's/rose/tulip/' poem.txt > p2; diff -u poem.txt p2 | tail -n +3; diff -q poem.txt p2; diff -u poem.txt nosuch 2>/dev/null; echo $?
---
diff -u no_end.txt poem.txt | tail -n +3; printf '1\n2\n3\n4\n5\n6\n7\n8\n9\n' > a; printf '1\nx\n3\n4\n5\n6\n7\n8\ny\n' > b; diff -u a b | tail -n +3; diff -U1 a b | tail -n +3; diff -u a empty.txt | tail -n +3
---
cmp poem.txt poem.txt; echo $?; cmp -s poem.txt table.csv; echo $?; diff -i dir/two.txt dir/two.txt; printf 'a  b\n' > a; printf 'a b\n' > b; diff -b a b; echo $?; diff -w a b; echo $?
