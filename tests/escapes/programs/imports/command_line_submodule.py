# Import the command line program inside an authorized package.
# mechanism: json.tool imports Path and argparse
# stopped by: view
# reason: command line programs inside packages open files

import json.tool

loot(json.tool.argparse)
