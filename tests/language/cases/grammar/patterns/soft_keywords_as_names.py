# The words match, case and type are still ordinary names.
match = {"case": 1}
case = "case"
print(match[case], match["case"])
match[case] = 2
match(case) if callable(match) else print(match)


def type(match, *, case):
    return match, case


print(type(1, case=2))
match match:
    case {"case": case}:
        print("inner", case)
