# Exactly one branch of an if chain runs, and conditions after it are not evaluated.
def test(label, answer):
    print("test", label)
    return answer


for first, second in [(True, True), (False, True), (False, False)]:
    if test("first", first):
        print("-> if")
    elif test("second", second):
        print("-> elif")
    else:
        print("-> else")
