# Warnings are recorded, filtered, or turned into exceptions.
import warnings


def old(value):
    warnings.warn("old is deprecated, use new", DeprecationWarning, stacklevel=2)
    return value


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(old(1))
    warnings.warn("careful")
print([(w.category.__name__, str(w.message)) for w in caught])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        old(2)
    except DeprecationWarning as error:
        print("raised", error)
with warnings.catch_warnings():
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    value = old(3)


class OwnWarning(UserWarning):
    pass


issubclass(OwnWarning, Warning), value
