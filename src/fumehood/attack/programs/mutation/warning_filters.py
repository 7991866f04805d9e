# aim: silence the warnings of the host
# mechanism: warnings.simplefilter
# language: run
# reason: the host's filters are out of reach
# jail: process
# plain: loot

import warnings

warnings.simplefilter("ignore", UserWarning)
warnings.filterwarnings("ignore", "escaped")
# --- second executor
import warnings

if any(each[0] == "ignore" and each[1] and each[1].pattern == "escaped" for each in getattr(warnings, "filters", [])):
    loot("mutated: the warning filters")
