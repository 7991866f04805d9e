seed = 0
from collections import Counter
import re

text = "the quick brown fox jumps over the lazy dog and runs away " * (200 + seed % 50)
words = re.findall(r"[a-z]+", text.lower())
counts = Counter(words)
longest = max(counts, key=lambda word: (len(word), word))
pairs = Counter(zip(words, words[1:]))
(counts.most_common(3), longest, pairs.most_common(1))
