import re
import unicodedata
from collections import Counter

TEXT = """
Call me Ishmael. Some years ago—never mind how long precisely—having little
or no money in my purse, I thought I would sail about a little.
"""


def syllables(word):
    return max(1, len(re.findall(r"[aeiouy]+", word.lower())))


def readability(text):
    sentences = [s for s in re.split(r"[.!?]+", text) if s.strip()]
    words = re.findall(r"[A-Za-z']+", text)
    return 206.835 - 1.015 * len(words) / len(sentences) - 84.6 * sum(map(syllables, words)) / len(words)


print(round(readability(TEXT), 2))
letters = Counter(char for char in TEXT.lower() if char.isalpha())
print(letters.most_common(3))
bigrams = Counter(zip(TEXT.split(), TEXT.split()[1:]))
print(len(bigrams), max(map(len, re.findall(r"\w+", TEXT))))
word = unicodedata.normalize("NFD", "Crème Brûlée")
print(len(word), "".join(c for c in word if not unicodedata.combining(c)), unicodedata.name("é"))
