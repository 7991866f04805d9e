# aim: quote a line of a file in a warning about it
# mechanism: warnings.formatwarning looks lines up by file name
# language: view
# reason: source lines are never looked up by a name the program chose
# jail: mount namespace, landlock
# plain: loot

import warnings

loot(warnings.formatwarning('text', UserWarning, secret_path, 1))
