# The loop variable keeps its last value and is unbound if the loop never ran.
for i in range(3):
    i *= 10
print(i)
for never in []:
    pass
try:
    never
except NameError as error:
    print(error)
for i in range(2):
    for i in "xy":
        pass
print(i)
