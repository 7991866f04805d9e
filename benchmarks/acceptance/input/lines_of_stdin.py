# stdin: the cat
# stdin: the dog
import sys
from collections import Counter

counts = Counter(word for line in sys.stdin for word in line.split())
print(counts.most_common(1), sum(counts.values()))
print(repr(sys.stdin.readline()))
try:
    input()
except EOFError as error:
    print("EOFError:", error)
