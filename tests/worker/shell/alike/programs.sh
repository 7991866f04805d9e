for f in $(ls *.txt | grep -v ' '); do wc -l < $f; done
---
cut -d, -f1 table.csv | tail -n +2 | sort | uniq -c | sort -rn | sed 's/^ *//'
---
total=0; for n in $(grep -E '^[0-9]+$' numbers.txt); do total=$((total + n)); done; echo $total
---
mkdir -p proj/src && echo 'print(1)' > proj/src/main.py && cat > proj/README <<EOF
# Title
files: $(ls proj/src | wc -l)
EOF
cat proj/README; find proj -type f | sort
---
n=0; while read -r line; do n=$((n+1)); [ -z "$line" ] && echo "empty at $n"; done < poem.txt; echo $n
---
for d in */; do echo "$d: $(ls "$d" | wc -l)"; done
---
x=10; [ $x -gt 5 ] && { echo big; x=1; } || echo small; echo $x
---
ls | while read f; do if [ -d "$f" ]; then echo "D $f"; else echo "F $f"; fi; done
---
echo 'a b c' | { read a rest; echo "$rest"; }; printf '%s\n' *.csv | sed 's/\.csv$//'
---
test -f poem.txt && cp poem.txt backup.$(basename poem.txt .txt) ; ls backup*
