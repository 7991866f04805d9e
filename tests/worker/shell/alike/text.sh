cat poem.txt dir/two.txt; cat no_end.txt poem.txt; cat -n poem.txt; cat -b poem.txt; cat -s spaces.txt; cat -A spaces.txt
---
cat nosuch poem.txt 2>/dev/null; echo $?
---
head -n 2 poem.txt; head -2 poem.txt; head -c 5 poem.txt; head -n -2 poem.txt; head -n 1 poem.txt table.csv
---
tail -n 2 poem.txt; tail -1 no_end.txt; tail -n +3 poem.txt; tail -c 4 poem.txt; tail -n 1 poem.txt table.csv; tail -n 0 poem.txt
---
head -n 0 poem.txt; head empty.txt; tail empty.txt; head -q -n1 poem.txt table.csv
---
wc poem.txt; wc -l poem.txt; wc -w < poem.txt; wc -c poem.txt table.csv; wc < poem.txt; wc -l < empty.txt
---
wc -lw poem.txt table.csv; wc no_end.txt spaces.txt empty.txt
---
cat poem.txt | wc; cat poem.txt | wc -l
---
tac poem.txt; rev poem.txt; nl poem.txt
---
echo a | tee x y; cat x y; echo b | tee -a x > /dev/null; cat x
