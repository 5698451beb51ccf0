import { apply } from "srpatch";

const reply = `
cart.py
<<<<<<< SEARCH
def total(self):
    return sum(price for name, price in self.items)
=======
def total(self):
    return sum(price * count for name, price, count in self.items)
>>>>>>> REPLACE
`;
const files = {
  "cart.py": `class Cart:
    def total(self):
        return sum(price for name, price in self.items)
`,
};

const answer = await apply(reply, files);
console.log(answer.status);
console.log(answer.files["cart.py"]);

// A block that doesn't match: feedback is the message to send back to the model.
const refused = await apply(reply, { "cart.py": "class Cart:\n    pass\n" });
console.log(refused.status, refused.blocks[0].reason);
console.log(refused.feedback.split("\n", 1)[0]);
