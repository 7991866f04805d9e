# A loop whose turns end with a call of print gives None.
# value: None
for n in range(3):
    print(n)
