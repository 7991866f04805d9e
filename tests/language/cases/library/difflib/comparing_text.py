# Close matches, ratios and the differences between texts.
import difflib
from difflib import SequenceMatcher, get_close_matches, ndiff, unified_diff

print(get_close_matches("appel", ["ape", "apple", "peach", "puppy"]), get_close_matches("xyz", ["abc"]))
print(round(SequenceMatcher(None, "private", "privat thought").ratio(), 3))
old, new = ["one", "two", "three"], ["one", "2", "three", "four"]
print("\n".join(unified_diff(old, new, "old", "new", lineterm="")))
print(list(ndiff(["a", "b"], ["a", "c"])))
for tag, i1, i2, j1, j2 in SequenceMatcher(a="qabxcd", b="abycdf").get_opcodes():
    print(tag, i1, i2, j1, j2)
difflib.SequenceMatcher(None, "abcd", "bcde").find_longest_match(0, 4, 0, 4)
