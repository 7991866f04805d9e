# Neighbouring strings join, and triple-quoted f-strings span lines.
a, b = 1, 2
print(f"{a}" "{not a field}" f"{b}" r"\n" fr"\{a}")
print(f"""sum:
  {a +
   b}
{
    a * 10
}""")
print(f'{a}' f"{f'{b}' + f'{a}'}", f"" == "", f"{'nested ' f'{a}'}")
