echo -n a; echo b
---
echo -e 'a\tb\nc'; echo -E 'a\tb'
---
echo -x; echo -; echo --
---
printf 'plain\n'; printf '%s\n' a b c; printf '%s-%s\n' a b c
---
printf '%d %5d|%-5d|%05d\n' 1 2 3 4
---
printf '%x %X %o %c\n' 255 255 8 hello
---
printf '%.2f %8.3f %e\n' 3.14159 2.5 1000
---
printf '%s|%10s|%-10s|%.2s\n' a b c defg
---
printf '%%\n'; printf 'a\tb\\n\n'
---
printf '%b' 'x\ny\n'; printf '\101\n'
---
printf '%s\n'
---
printf '%d\n' 0x10
---
printf '%i\n' "'A"
---
seq 3; seq 2 4; seq 10 -3 1; seq -s, 1 5; seq -w 8 11; seq 1 0.5 2
---
seq 5 1
---
yes | head -n 3; yes no | head -n 2
