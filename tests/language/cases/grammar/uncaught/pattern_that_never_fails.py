# A capture pattern before others makes them unreachable.
match 5:
    case x:
        print(x)
    case 5:
        print("five")
