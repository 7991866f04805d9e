# Import a forbidden module under an authorized name.
# mechanism: import subprocess as math
# stopped by: check
# reason: the module is checked, not the name it is given

import subprocess as math

loot(math)
