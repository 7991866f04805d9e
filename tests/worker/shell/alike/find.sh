find dir | sort; find dir -type f | sort; find dir -type d | sort; find . -name '*.txt' | sort; find . -maxdepth 1 -name '*.txt' | sort; find dir -mindepth 1 | sort
---
find . -iname 'POEM*'; find dir -name '*.py' -o -name 'three*' | sort; find dir ! -name '*.txt' | sort; find . -empty | sort; find dir -path '*deep*' | sort; find poem.txt
---
find dir -name '*.txt' -exec cat {} \; | sort; find dir -type f -exec echo {} + | tr ' ' '\n' | sort; find nosuch 2>/dev/null; echo $?
---
find dir -type f -delete; find dir | sort; find . -size +50c -name '*.txt' | sort; find . -type f -newer dir/two.txt | wc -l; find dir \( -name a -o -name deep \) | sort
---
find dir -name deep -prune -o -type f -print | sort; find . -name '*.csv' -print0 | xargs -0 wc -l; find dir -maxdepth 0
