import difflib

before = "one\ntwo\nthree\nfour\n".splitlines(keepends=True)
after = "one\n2\nthree\nfour\nfive\n".splitlines(keepends=True)
print("".join(difflib.unified_diff(before, after, "before.txt", "after.txt")))
print("".join(difflib.ndiff(before[:2], after[:2])))
matcher = difflib.SequenceMatcher(None, "private", "privacy")
print(round(matcher.ratio(), 3), matcher.get_opcodes())
print(difflib.get_close_matches("appel", ["ape", "apple", "peach", "puppy"]))
html = difflib.HtmlDiff().make_table(before, after)
print(html.count("<tr>"), "diff_chg" in html)
