echo a b c | xargs; echo a b c | xargs -n 1; printf 'a\nb\n' | xargs -I{} echo '<{}>'; ls *.csv | xargs wc -l; printf 'a b\n' | xargs -d '\n' -n1 echo
---
echo "'a b' c" | xargs -n1; printf '' | xargs -r echo no; echo x | xargs false; echo $?; seq 5 | xargs -n 2 echo; echo 'a\ b' | xargs -n1
