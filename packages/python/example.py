"""A model edits a file, gets feedback, and corrects its edit. Then many replies are scored."""

import srpatch

FILES = {"greet.py": 'def greet(name):\n    print("Hello " + name)\n\n\ngreet("Ada")\n'}

# Stands for a model. The first reply has a line that the file doesn't have.
REPLIES = [
    """\
greet.py
<<<<<<< SEARCH
def welcome(user):
=======
def greet(name, end="!"):
>>>>>>> REPLACE
""",
    """\
greet.py
<<<<<<< SEARCH
print("Hello " + name)
=======
print(f"Hello {name}!")
>>>>>>> REPLACE
""",
]


def agent_loop(files):
    messages = ["Make the greeting end with an exclamation mark."]
    for reply in REPLIES:  # reply = model(messages)
        result = srpatch.apply(reply, files)
        print("reply:", result.outcome)
        if result.ok:
            return {**files, **result.files}
        messages.append(result.feedback)
        print("to the model:", result.feedback.splitlines()[0])
    raise SystemExit("the model gave up")


def reward(result):
    return 1.0 if result.changed else -1.0


if __name__ == "__main__":
    print(agent_loop(FILES)["greet.py"])
    requests = (srpatch.request(reply, FILES) for reply in REPLIES * 500)
    with srpatch.Pool() as pool:
        rewards = [reward(result) for result in pool.map(requests)]
    print(f"{len(rewards)} replies, mean reward {sum(rewards) / len(rewards)}")
