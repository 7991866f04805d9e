import warnings


def old_function():
    warnings.warn("use new_function", DeprecationWarning, stacklevel=2)
    return 1


warnings.warn("check your input")
for _ in range(3):
    old_function()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    old_function()
    warnings.warn("second", UserWarning)
print([(warning.category.__name__, str(warning.message)) for warning in caught])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        old_function()
    except DeprecationWarning as error:
        print("raised:", error)


class DataWarning(UserWarning):
    pass


warnings.warn(DataWarning("custom"))
warnings.filterwarnings("ignore", category=DataWarning)
warnings.warn(DataWarning("ignored"))
