# aim: run text as code as an example in a text
# mechanism: doctest.run_docstring_examples
# language: check
# reason: the policy does not authorize doctest
# jail: process
# plain: loot
import doctest
class Holder:
    """
    >>> take(__import__('os'))
    """
doctest.run_docstring_examples(Holder, {"take": loot})
