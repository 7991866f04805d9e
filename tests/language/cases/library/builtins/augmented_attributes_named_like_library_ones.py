# A program's own attributes called query, format or obj may be added to in place.
class QueryBuilder:
    def __init__(self, table):
        self.query = f"SELECT * FROM {table}"
        self.format = "text"
        self.obj = 0

    def where(self, condition):
        self.query += f" WHERE {condition}"
        self.format *= 2
        self.obj -= 1
        return self


builder = QueryBuilder("users").where("age > 5")
builder.query += ";"
builder.query, builder.format, builder.obj
