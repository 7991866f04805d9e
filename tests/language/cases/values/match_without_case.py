# A match without a matching case gives None.
# value: None
x = 5
match x:
    case 6:
        "six"
