# Taking the value of a cell does not copy it or call its methods.
class Shy:
    def __bool__(self):
        print("asked for truth")
        return False

    def __eq__(self, other):
        print("compared")
        return True

    def __repr__(self):
        return "<shy>"


shy = Shy()
# ---
kept = [shy]
kept[0]
# ---
kept[0] is shy
