# %%
import re
from collections import Counter

text = "One fish two fish red fish blue fish"
words = re.findall(r"\w+", text.lower())
words
# %%
Counter(words)
# %%
sorted(set(words), key=lambda word: (-words.count(word), word))
# %%
[match.span() for match in re.finditer("fish", text)]
# %%
len(text)
