# The value is found through several levels of blocks.
# value: 'deep 2'
import contextlib

for n in range(3):
    with contextlib.nullcontext(n) as value:
        try:
            if value % 2:
                raise KeyError(value)
            else:
                match value:
                    case 0:
                        "zero"
                    case other:
                        found = f"deep {other}"
        except KeyError as error:
            f"odd {error}"
