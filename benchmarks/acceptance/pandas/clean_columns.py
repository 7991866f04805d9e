import pandas as pd


def clean(frame):
    """Tidy names, trim text, parse numbers and dates, and drop duplicates."""
    frame = frame.rename(columns=lambda name: name.strip().lower().replace(" ", "_"))
    frame["name"] = frame["name"].str.strip().str.title()
    frame["amount"] = pd.to_numeric(frame["amount"].str.replace(r"[$,]", "", regex=True), errors="coerce")
    frame["joined"] = pd.to_datetime(frame["joined"], format="%d/%m/%Y", errors="coerce")
    return frame.drop_duplicates().reset_index(drop=True)


raw = pd.DataFrame(
    {
        " Name": ["  ann lee", "BOB ", "  ann lee", "cy"],
        "Amount ": ["$1,200.50", "n/a", "$1,200.50", "17"],
        "Joined": ["01/02/2023", "31/12/2022", "01/02/2023", "tomorrow"],
    }
)
tidy = clean(raw)
print(tidy)
print(tidy.isna().sum().to_dict())
print(tidy.joined.dt.strftime("%Y-%m").tolist())
