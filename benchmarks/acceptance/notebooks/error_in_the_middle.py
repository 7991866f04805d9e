# %%
values = {"a": 1}
values
# %%
values["b"] = 2
print("about to fail")
values["missing"]
# %%
"not reached"
