# A name bound in only one branch is unbound when the other was taken.
def f(flag):
    if flag:
        value = "bound"
    try:
        return value
    except UnboundLocalError as error:
        return str(error)


print(f(True), f(False))
if False:
    never_bound = 1
try:
    never_bound
except NameError as error:
    print(error)
for _ in range(1):
    made_in_loop = "visible"
with_walrus = (inner := 5) + 1
print(made_in_loop, inner)
