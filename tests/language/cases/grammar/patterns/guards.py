# A guard runs after its pattern matched, sees the captures, and may fall through.
def loud(label, answer):
    print("guard", label)
    return answer


match (1, 2):
    case (a, 3) if loud("not reached", True):
        print("never")
    case (a, b) if loud(f"{a} {b}", False):
        print("never")
    case (a, b) if (total := a + b) and loud("third", True):
        print("matched", total)
    case _ if loud("not reached", True):
        print("never")
print(a, b)
try:
    match 5:
        case n if n / 0:
            pass
except ZeroDivisionError as error:
    print(error)
