# needs: Levenshtein
import Levenshtein, difflib, holidays, mechanize, wtforms
print(Levenshtein.distance("ab", "ac"), "2024-01-01" in holidays.country_holidays("US"), len(mechanize.Browser().handlers) > 0)
