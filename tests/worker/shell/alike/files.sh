ls; ls -a; ls -A; ls -1; ls dir; ls -R dir; ls poem.txt; ls -d dir; ls *.txt; ls -r; ls dir poem.txt; ls -p; ls -F dir; ls empty.txt dir/deep dir
---
ls nosuch 2>/dev/null; echo $?; ls -S *.txt | head -1
---
mkdir a; mkdir a 2>/dev/null; echo $?; mkdir -p a/b/c a; mkdir x/y 2>/dev/null; echo $?; ls -R a; rmdir a/b/c; ls a/b; rmdir a 2>/dev/null; echo $?; rmdir -p a/b; ls -d a 2>/dev/null; echo $?
---
rm poem.txt; ls; rm nosuch 2>/dev/null; echo $?; rm -f nosuch; echo $?; rm dir 2>/dev/null; echo $?; rm -r dir; ls; rm -rf dir *.csv; ls
---
cp poem.txt p2; cat p2; cp poem.txt table.csv dir; ls dir; cp dir d2 2>/dev/null; echo $?; cp -r dir d2; ls -R d2; cp -r dir d2; ls -R d2; cp nosuch x 2>/dev/null; echo $?
---
cp poem.txt poem.txt 2>/dev/null; echo $?; cp -n table.csv poem.txt; head -1 poem.txt; cp poem.txt table.csv nosuchdir 2>/dev/null; echo $?
---
mv poem.txt p; ls; mv p dir; ls dir; mv dir d2; ls; mv nosuch x 2>/dev/null; echo $?; mv table.csv numbers.txt d2; ls d2; mv d2/deep d2/deeper; ls d2
---
touch new poem.txt; ls; touch -c other; ls; touch -d 2020-01-02T03:04:05 new; date -u -r new '+%Y-%m-%d %H:%M:%S'; touch -r new poem.txt; [ poem.txt -nt new ]; echo $?
---
ln -s poem.txt link; cat link; readlink link; [ -L link ] && echo link; ln poem.txt hard; cat hard; ln -s nosuch dangling; cat dangling 2>/dev/null; echo $?; ln -sf table.csv link; readlink link; ls -F
---
ln -s dir dl; ls dl; ls -d dl; cp -r dl dlcopy; [ -L dlcopy ]; echo $?; rm dl; ls dir; readlink poem.txt; echo $?
---
chmod 600 poem.txt; stat -c '%a %n' poem.txt; chmod u+x,g+r poem.txt; stat -c %A poem.txt; chmod -x poem.txt; stat -c %a poem.txt; chmod a=r poem.txt; stat -c %a poem.txt; chmod u+w poem.txt
---
stat -c '%s %F' poem.txt empty.txt dir; du -b poem.txt; du -sb dir/two.txt; find dir -type f | sort | xargs du -b
---
basename /a/b/c.txt; basename /a/b/c.txt .txt; basename a/; basename -a x/y z; dirname /a/b/c; dirname a; dirname /a; dirname a/b/; basename /
---
realpath . | sed 's,.*/,,'; realpath dir/../poem.txt | sed 's,.*/,,'; realpath nosuch/x 2>/dev/null; echo $?; ln -s dir dl; realpath dl | sed 's,.*/,,'; readlink -f dl/two.txt | sed 's,.*/,,'
---
f=$(mktemp tmp.XXXXXX); [ -f "$f" ] && echo made; d=$(mktemp -d dXXXX); [ -d "$d" ] && echo made; rm -r "$f" "$d"
---
cd dir && pwd | sed 's,.*/,,'; cd ..; cd nosuch 2>/dev/null; echo $?; cd dir/deep; cd - > /dev/null; pwd | grep -c dir; cd; pwd | grep -vc dir
---
cat 'with space.txt'; ls with*; for f in *space*; do rm "$f"; done; ls
---
cp -r dir dir/deep 2>/dev/null; echo $?; rm -r dir/deep
---
rm -rf ./dir/deep; ls dir; rm -r .hidden; ls -A
