# A match without a matching case does nothing, and cases may break, continue and return.
def scan(tokens):
    out = []
    for token in tokens:
        match token:
            case "skip":
                continue
            case "stop":
                break
            case ("return", value):
                return value
            case int():
                out.append(token)
    else:
        out.append("exhausted")
    return out


print(scan([1, "skip", 2, "other"]), scan([1, "stop", 2]), scan([("return", "early"), 3]))
match "nothing":
    case "something":
        print("never")
