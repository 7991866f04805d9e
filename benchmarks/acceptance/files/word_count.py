"""Count the words of a text file and write a report beside it."""
from collections import Counter
from pathlib import Path
import re


def count_words(path):
    text = Path(path).read_text(encoding="utf-8").lower()
    return Counter(re.findall(r"[a-z']+", text))


Path("speech.txt").write_text(
    "It was the best of times, it was the worst of times,\n"
    "it was the age of wisdom, it was the age of foolishness.\n",
    encoding="utf-8",
)
counts = count_words("speech.txt")
with open("report.txt", "w") as report:
    for word, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:5]:
        report.write(f"{word:<12}{count:>4}\n")
print(open("report.txt").read(), end="")
print("total", sum(counts.values()))
