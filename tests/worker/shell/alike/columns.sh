cut -d, -f1 table.csv; cut -d, -f2- table.csv; cut -d, -f1,3 table.csv; cut -c1-3 poem.txt; cut -c 2 poem.txt; cut -c3- poem.txt
---
cut -f1 poem.txt; cut -s -d, -f2 poem.txt; cut -d' ' -f2 poem.txt; cut -b1-2 poem.txt; cut -d, -f-2 table.csv
---
tr a-z A-Z < poem.txt; tr -d aeiou < poem.txt; tr -s ' ' < spaces.txt; tr -cd '0-9\n' < table.csv; tr '\n' ' ' < poem.txt
---
tr '[:lower:]' '[:upper:]' < poem.txt; echo abc | tr abc xy; echo a-b | tr -- - _; echo aabbcc | tr -s a-z; echo aXb | tr -s 'A-Z' '.'
---
tr -c 'a-z\n' '-' < poem.txt
---
paste numbers.txt poem.txt; paste -d, numbers.txt numbers.txt; paste -s numbers.txt; paste -sd+ numbers.txt
