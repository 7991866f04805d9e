import heapq
from collections import Counter


def huffman(text):
    heap = [(count, index, letter) for index, (letter, count) in enumerate(sorted(Counter(text).items()))]
    heapq.heapify(heap)
    number = len(heap)
    while len(heap) > 1:
        (a, _, left), (b, _, right) = heapq.heappop(heap), heapq.heappop(heap)
        heapq.heappush(heap, (a + b, number, (left, right)))
        number += 1
    codes = {}

    def walk(node, prefix):
        if isinstance(node, str):
            codes[node] = prefix or "0"
        else:
            walk(node[0], prefix + "0")
            walk(node[1], prefix + "1")

    walk(heap[0][2], "")
    return codes


def decode(bits, codes):
    letters, out, current = {code: letter for letter, code in codes.items()}, [], ""
    for bit in bits:
        current += bit
        if current in letters:
            out.append(letters[current])
            current = ""
    return "".join(out)


def run_length(text):
    from itertools import groupby

    return "".join(f"{len(list(group))}{letter}" for letter, group in groupby(text))


text = "abracadabra alakazam"
codes = huffman(text)
bits = "".join(codes[letter] for letter in text)
print(len(bits), len(text) * 8, decode(bits, codes) == text, codes["a"])
print(run_length("WWWWBBBWW"))
