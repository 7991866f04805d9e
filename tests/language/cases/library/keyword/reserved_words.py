# Reserved words are recognised.
import keyword
from keyword import iskeyword

print([word for word in "if name lambda None match print".split() if iskeyword(word)])
print(keyword.issoftkeyword("match"), "while" in keyword.kwlist)
"class".isidentifier() and not iskeyword("klass")
