# As binds whole parts while their insides are matched too.
def f(x):
    match x:
        case {"user": {"name": str(name), "roles": ["admin" as role, *more]} as user}:
            return name, role, more, len(user)
        case [(a, b) as pair, [c, [d, *e] as inner] as outer] as whole:
            return pair, inner, len(outer), len(whole), a + b + c + d, e
    return None


print(f({"user": {"name": "Ann", "roles": ["admin", "dev"]}}))
print(f([(1, 2), [3, [4, 5, 6]]]))
print(f({"user": {"name": 5, "roles": ["admin"]}}))
