# Finally runs while an exception passes and may raise its own.
def passes():
    try:
        raise ValueError("original")
    finally:
        print("cleanup")


def replaced():
    try:
        raise ValueError("original")
    finally:
        raise TypeError("from finally")


for f in (passes, replaced):
    try:
        f()
    except Exception as error:
        print(repr(error), repr(error.__context__))
try:
    pass
finally:
    print("nothing happened, finally ran")
