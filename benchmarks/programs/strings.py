"""Text made piece by piece: join, f-strings, `str.format`, `%`, translate, slicing."""

import textwrap


def table(rows):
    lines = [f"{'number':>8} | {'square':<10} | share"]
    for number in rows:
        lines.append(f"{number:>8} | {number * number:<10,} | {number / (len(rows) or 1):.2%}")
    return "\n".join(lines)


def letters(people):
    template = "Dear {name}, row {seat[0]}{seat[1]} costs {price:>8.2f} ({0!r})."
    return [template.format(number, name=name, seat="AB", price=number / 3) for number, name in enumerate(people)]


def plain_format(count):
    return ["{}-{:04d}-{:x}".format("id", number, number) for number in range(count)]


def caesar(text, shift):
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    return text.translate(str.maketrans(alphabet, alphabet[shift:] + alphabet[:shift]))


def run_lengths(text):
    pieces = []
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or text[end] != text[start]:
            pieces.append(text[start] + str(end - start))
            start = end
    return "".join(pieces)


def write(size):
    names = ["name%d" % number for number in range(size)]
    words = " ".join(name.title().swapcase().replace("n", "m") for name in names)
    grown = ""
    for name in names:
        grown += name[-2:].rjust(3, "0")
    pages = [table(range(size)), *letters(names), *plain_format(size), caesar(words, 5), run_lengths(grown)]
    pages.append(textwrap.fill(words[: size * 2], width=60))
    text = "\n".join(pages)
    return len(text), text.count("0"), sum(map(ord, text[::50]))


write(20_000)
