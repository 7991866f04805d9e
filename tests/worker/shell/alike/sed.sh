sed 's/the/THE/' poem.txt; sed 's/e/E/g' poem.txt; sed -n 2p poem.txt; sed 2d poem.txt; sed '/is/d' poem.txt; sed -n '/is/p' poem.txt
---
sed 's/\(the\) \([a-z]*\)/\2 \1/' poem.txt; sed -E 's/(the) ([a-z]+)/\2 \1/' poem.txt; sed 's/is/[&]/' poem.txt; sed 's|/|-|g' poem.txt; sed 's,e,E,2' poem.txt
---
sed 2,3d poem.txt; sed '2,$d' poem.txt; sed '/violet/,/sweet/d' poem.txt; sed '$d' poem.txt; sed -n '$p' poem.txt; sed '2!d' poem.txt; sed -n '$=' poem.txt
---
sed -e 's/a/1/' -e 's/b/2/' poem.txt; sed 's/a/1/;s/b/2/' poem.txt; sed 2q poem.txt; sed 'y/abc/xyz/' poem.txt; sed 's/SUGAR/x/I' poem.txt
---
sed 's/x*/-/g' no_end.txt; sed 's/$/!/' no_end.txt; sed 's/^/> /' poem.txt; sed '1i first' poem.txt; sed '$a last' poem.txt; sed '2c changed' poem.txt
---
cp poem.txt p; sed -i 's/the/a/' p; cat p; sed -n 's/rose/tulip/p' poem.txt; sed '/^$/d' poem.txt; sed 's/[aeiou]//g' poem.txt; sed -n '2,3p' poem.txt
---
sed 's/a\/b/c/' poem.txt; echo a/b | sed 's/\//-/'; echo a.b | sed 's/\./-/'; echo 'a b' | sed 's/ /\n/'; echo aaa | sed 's/a/b/2g'; echo abc | sed 's/b*/X/'
---
sed --expression='s/e/E/' poem.txt
