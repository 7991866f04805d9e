# Identifiers may be written in any script and are normalized, and soft keywords stay names.
größe = 3
变量 = "value"
ﬁ = "ligature"
print(größe, 变量, fi)
match = type = case = _ = 1
print(match, case, _, type)
def soft(match, case, type=2, _=3):
    return match + case + type + _
print(soft(1, 1))
