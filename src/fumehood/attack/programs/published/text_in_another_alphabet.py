# aim: write a forbidden name with letters that are made the same later
# mechanism: identifiers in mathematical letters, which the parser normalizes
# source: PEP 672
# language: check
# reason: __subclasses__: hands out every class of the process
# jail: process
# plain: loot
loot(().__𝒸𝓁𝒶𝓈𝓈__.__𝒷𝒶𝓈𝑒__.__𝓈𝓊𝒷𝒸𝓁𝒶𝓈𝓈𝑒𝓈__())
