# Statistics of a text: words, sentences, letters and a histogram.
import re
import string
from collections import Counter

TEXT = """It was the best of times, it was the worst of times, it was the age of wisdom,
it was the age of foolishness! Was it the epoch of belief? It was the season of light."""


def analyze(text):
    words = re.findall(r"[a-z']+", text.lower())
    sentences = [s.strip() for s in re.split(r"[.!?]+", text) if s.strip()]
    letters = Counter(c for c in text.lower() if c in string.ascii_lowercase)
    return {
        "words": len(words),
        "unique": len(set(words)),
        "sentences": len(sentences),
        "longest": max(words, key=lambda w: (len(w), w)),
        "average": round(sum(map(len, words)) / len(words), 3),
        "top": Counter(words).most_common(3),
        "letters": letters.most_common(3),
    }


report = analyze(TEXT)
for key, value in report.items():
    print(f"{key:<10}: {value}")
by_length = Counter(len(word) for word in re.findall(r"\w+", TEXT))
for length in sorted(by_length):
    print(f"{length:>2} | {'#' * by_length[length]} {by_length[length]}")
report["top"][0]
