"""Text processing: letters of customers are sorted and counted in the jail, and what must not leave
it does not.

The letters go in as a file. The code sees them whole; what it prints and gives back is looked at on
its way out: e-mail addresses, card numbers and the like are taken out before the host's log, or a
model, can see them.

    python examples/text_processing.py
"""

from __future__ import annotations

from fumehood import LocalPythonExecutor, PersonalData, Policy, Secrets

LETTERS = """\
From: ada@example.com
My order 4711 of 12 March came broken. Please refund 49.90 EUR to card 4111 1111 1111 1111.
---
From: grace@example.org
Order 4712 is late, very late. When will it come? I paid 120.00 EUR!
---
From: alan@example.net
Thank you for order 4713, it came on 14 March and works well. 15.50 EUR well spent.
---
From: edsger@example.com
The lamp of order 4714 came broken, too. A refund of 19.00 EUR, please.
"""

READ = """
import re
from collections import Counter

with open("letters.txt") as file:
    letters = [letter.strip() for letter in file.read().split("---")]

def facts(letter):
    return {
        "from": re.search(r"From: (\\S+)", letter)[1],
        "order": int(re.search(r"[Oo]rder (\\d+)", letter)[1]),
        "amount": float(re.search(r"(\\d+\\.\\d\\d) EUR", letter)[1]),
        "mood": "angry" if re.search(r"broken|late", letter) else "glad",
    }

table = [facts(letter) for letter in letters]
for row in table:
    print(row)
"""

COUNT = """
words = Counter(re.findall(r"[a-z]{4,}", " ".join(letters).lower()))
print("words:", words.most_common(4))
print("the first letter:", letters[0])
{
    "moods": dict(Counter(row["mood"] for row in table)),
    "asked back": sum(row["amount"] for row, letter in zip(table, letters) if "refund" in letter),
}
"""


def main() -> None:
    with LocalPythonExecutor(
        policy=Policy(files=True), validators=[PersonalData(), Secrets()]
    ) as executor:
        executor.files.write("letters.txt", LETTERS)
        for title, code in (("what each letter says", READ), ("all of them together", COUNT)):
            execution = executor.run(code)
            print(
                f"-- {title}\n{execution.logs}"
                + (f"value: {execution.value}\n" if execution.value is not None else "")
            )
            print("taken out on the way:", "; ".join(map(str, execution.findings)), end="\n\n")


if __name__ == "__main__":
    main()
