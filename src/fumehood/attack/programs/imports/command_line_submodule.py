# aim: import the command line program inside an authorized package
# mechanism: json.tool imports Path and argparse
# language: view
# reason: command line programs inside packages open files
# jail: process
# plain: loot

import json.tool

loot(json.tool.argparse)
