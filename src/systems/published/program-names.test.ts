import { expect, test } from "vitest";
import { nameFor, takenNames } from "./program-names.ts";

test.each`
  words                          | names
  ${["x", "x", "x"]}             | ${["x", "x_2", "x_3"]}
  ${["x", "x_2", "x"]}           | ${["x", "x_2", "x_3"]}
  ${["x_2", "x", "x", "x_2"]}    | ${["x_2", "x", "x_3", "x_2_2"]}
  ${["/h.0/attn/", "0", "--"]}   | ${["h_0_attn", "v_0", "v_"]}
  ${["class", "async", "await"]} | ${["class_2", "async_2", "await_2"]}
  ${["finally", "nonlocal"]}     | ${["finally_2", "nonlocal_2"]}
`("$words of a file are $names", ({ words, names }) => {
  const taken = takenNames();
  expect(words.map((word: string) => nameFor(taken, word))).toEqual(names);
});

test("a name that is taken besides those of the language is not given", () => {
  expect(nameFor(takenNames(["dp"]), "dp")).toBe("dp_2");
});
