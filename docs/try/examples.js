// The examples of the page: files, a reply, and what to see.

const cart = `class Cart:
    def __init__(self):
        self.items = []

    def add(self, name, price):
        self.items.append((name, price))

    def total(self):
        return sum(price for name, price in self.items)
`;

const block = (path, search, replace) =>
  `${path}\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n\n`;

export const examples = [
  {
    name: "lost indentation",
    files: { "cart.py": cart },
    reply: "Each item gets a quantity.\n\n" +
      block("cart.py",
        "def add(self, name, price):\n    self.items.append((name, price))",
        "def add(self, name, price, count=1):\n    self.items.append((name, price, count))") +
      block("cart.py",
        "        return sum(price for name, price in self.items)",
        "        return sum(price * count for name, price, count in self.items)"),
  },
  {
    name: "a line that isn't there",
    files: { "cart.py": cart },
    reply: block("cart.py",
      "    def total(self):\n        return sum(item.price for item in self.items)",
      "    def total(self):\n        return round(sum(item.price for item in self.items), 2)"),
  },
  {
    name: "two places",
    files: {
      "routes.go":
        "func list(w http.ResponseWriter) {\n\tlog.Println(\"called\")\n\twrite(w, all())\n}\n\n" +
        "func count(w http.ResponseWriter) {\n\tlog.Println(\"called\")\n\twrite(w, len(all()))\n}\n",
    },
    reply: block("routes.go", "\tlog.Println(\"called\")", "\tlog.Println(\"called by\", user)"),
  },
  {
    name: "a tool call in JSON",
    files: { "config.json": "{\n  \"retries\": 3,\n  \"timeout\": 30\n}\n" },
    reply: "```json\n" + JSON.stringify({
      file_path: "config.json", old_string: "\"timeout\": 30", new_string: "\"timeout\": 60",
    }, null, 2) + "\n```\n",
  },
  {
    name: "a Codex patch for two files",
    files: {
      "a.py": "def greet(name):\n    return \"hi \" + name\n",
      "b.py": "from a import greet\n\nprint(greet(\"you\"))\n",
    },
    reply: `*** Begin Patch
*** Update File: a.py
@@
-def greet(name):
-    return "hi " + name
+def greet(name, greeting="hi"):
+    return f"{greeting} {name}"
*** Update File: b.py
@@
-print(greet("you"))
+print(greet("you", "hello"))
*** End Patch
`,
  },
];
