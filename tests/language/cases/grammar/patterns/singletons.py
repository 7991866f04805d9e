# None, True and False match by identity.
def kind(x):
    match x:
        case None: return "none"
        case True: return "true"
        case False: return "false"
        case 1: return "one"
        case 0: return "zero"
        case _: return "else"


print([kind(x) for x in (None, True, False, 1, 0, 1.0, "", [])])
