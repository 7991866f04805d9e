# A subscript passes slices, tuples, ellipsis and stars to __getitem__ as they were written.
class Show:
    def __getitem__(self, key):
        return key


show = Show()
print(show[1], show[1,], show[1, 2], show[()])
print(show[1:2], show[::], show[1:2, ..., None])
print(show[*range(3)], show[0, *"ab", -1])
print(show[lambda: 0] is not None, show[k := 5], k)
