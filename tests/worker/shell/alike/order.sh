sort poem.txt; sort -r poem.txt; sort -n numbers.txt; sort -rn numbers.txt; sort -u table.csv; sort -f poem.txt dir/two.txt
---
sort -t, -k2 table.csv; sort -t, -k2n table.csv; sort -t, -k2,2nr -k1,1 table.csv; sort -k2 poem.txt; sort -nu numbers.txt
---
sort -t, -k3,3 -k1,1r table.csv; sort -b spaces.txt; sort -o out numbers.txt; cat out; sort -c numbers.txt; echo $?
---
printf '1K\n2M\n500\n' | sort -h; printf 'v1.10\nv1.9\n' | sort -V; sort -s -t, -k1,1 table.csv
---
sort table.csv | uniq; sort table.csv | uniq -c; sort table.csv | uniq -d; sort table.csv | uniq -u; uniq dir/two.txt; uniq -i dir/two.txt
---
printf 'a 1\nb 1\nc 2\n' | uniq -f1; printf 'x1\ny1\n' | uniq -s1
