import codecs
import string
from collections import Counter

ENGLISH = "etaoinshrdlcumwfgypbvkjxqz"


def caesar(text, shift):
    lower, upper = string.ascii_lowercase, string.ascii_uppercase
    table = str.maketrans(lower + upper, lower[shift:] + lower[:shift] + upper[shift:] + upper[:shift])
    return text.translate(table)


def crack(text):
    """The shift whose letters look most like English."""
    def score(candidate):
        counts = Counter(c for c in candidate.lower() if c.isalpha())
        return sum(count * (26 - ENGLISH.index(letter)) for letter, count in counts.items())
    return max(range(26), key=lambda shift: score(caesar(text, shift)))


secret = caesar("Attack the eastern gate at the third hour", 3)
print(secret)
shift = crack(secret)
print(shift, caesar(secret, shift))
print(codecs.encode("Hello", "rot13"), "Straße".casefold(), "ǅ".swapcase(), "a-b_c".translate({45: None, 95: " "}))
