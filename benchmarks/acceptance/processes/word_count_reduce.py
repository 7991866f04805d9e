"""Map and reduce: words of several files, counted by several processes."""
from collections import Counter
from functools import reduce
from multiprocessing import Pool, cpu_count
from pathlib import Path


def count(path):
    return Counter(Path(path).read_text().split())


if __name__ == "__main__":
    texts = {"a.txt": "the cat and the dog", "b.txt": "the end", "c.txt": "cat and cat"}
    for name, text in texts.items():
        Path(name).write_text(text)
    print(cpu_count() >= 1)
    with Pool(processes=2) as pool:
        parts = pool.map(count, sorted(texts))
    total = reduce(lambda a, b: a + b, parts, Counter())
    print(sorted(total.items(), key=lambda item: (-item[1], item[0])))
