import shelve
from dataclasses import dataclass


@dataclass
class Item:
    name: str
    count: int


with shelve.open("store") as store:
    store["bolt"] = Item("bolt", 10)
    store["nut"] = Item("nut", 3)
    store["list"] = [1]
    store["list"].append(2)
with shelve.open("store", writeback=True) as store:
    print(sorted(store), store["bolt"], store["list"])
    store["list"].append(2)
    del store["nut"]
with shelve.open("store", flag="r") as store:
    print(store["list"], "nut" in store, len(store))
    try:
        store["gear"]
    except KeyError as error:
        print("no", error)
