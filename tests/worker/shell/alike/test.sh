[ a = a ]; echo $?; [ a != a ]; echo $?; [ -z '' ]; echo $?; [ -n a ]; echo $?; [ 1 -lt 2 ]; echo $?; [ 2 -ge 3 ]; echo $?; [ ]; echo $?; [ x ]; echo $?
---
[ -f poem.txt ]; echo $?; [ -d dir ]; echo $?; [ -e nosuch ]; echo $?; [ -s empty.txt ]; echo $?; [ -r poem.txt ]; echo $?; [ ! -f poem.txt ]; echo $?; test -d dir -a -f poem.txt; echo $?
---
[ -f nosuch -o -d dir ]; echo $?; test 1 -eq 1 && echo y; [ \( a = b -o a = a \) -a 1 -eq 1 ]; echo $?; test; echo $?; [ '' ]; echo $?; [ -f ]; echo $?; [ ! '' ]; echo $?; [ = = = ]; echo $?
---
[ poem.txt -ef ./poem.txt ]; echo $?; [ b \> a ]; echo $?; test -h poem.txt; echo $?
