# An error in a class body leaves the class undefined.
class Broken:
    good = 1
    print("body starts")
    bad = good / 0
# ---
Broken
