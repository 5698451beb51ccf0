// For require: every function returns a promise.
const module_ = import("./index.js");

for (const name of ["load", "apply", "feedback", "parse", "answer"]) {
  exports[name] = async (...args) => (await module_)[name](...args);
}
