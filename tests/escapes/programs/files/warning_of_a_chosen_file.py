# Quote a line of a file in a warning about it.
# mechanism: warnings.formatwarning looks lines up by file name
# stopped by: view
# reason: source lines are never looked up by a name the program chose

import warnings

loot(warnings.formatwarning('text', UserWarning, secret_path, 1))
