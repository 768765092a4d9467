import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { reading } from "../reading.testing.ts";

const head = "import sys\nargs = sys.flags\n";
const asked = "warning document/unknown-value";

test.each`
  text                                                                                       | said
  ${"if args.run:\n    n = 1\ndef f():\n    if args.run:\n        m = 1\n    return m\nf()"} | ${"warning python/unbound-local-error UnboundLocalError"}
  ${"if args.mode == 'a':\n    pass\nelse:\n    raise ValueError('mode')"}                   | ${"warning python/value-error ValueError"}
  ${"rows = []\nif args.run:\n    rows = [1]\nrows[0]"}                                      | ${"warning python/index-error IndexError"}
`("after something unknown was decided $text is no certain fault", ({ text, said }) => {
  const all = reading(head + text).said;
  expect(all).toContain(asked);
  expect(all).toContain(said);
});

test("the cause of such a warning is named", () => {
  const text = `${head}rows = []\nif args.run:\n    rows = [1]\nrows[0]\n`;
  const { diagnostics } = readDocument(text);
  const fault = diagnostics.find(({ code }) => code === "python/index-error");
  expect(fault?.message).toContain("may follow from what is not known here");
  expect(fault?.related?.map(({ span }) => span?.from)).toEqual([text.indexOf("args.run")]);
});

test.each`
  text                                | said
  ${"[1][2]"}                         | ${["error python/index-error IndexError"]}
  ${"[1][2]\nif args.run:\n    pass"} | ${["error python/index-error IndexError", asked]}
`("what fails before anything unknown is decided stays an error: $text", ({ text, said }) => {
  expect(reading(head + text).said.filter((line) => !line.startsWith("info"))).toEqual(said);
});

test.each(["open('x').read()", "input()", "exec('y = 1')", "globals()", "locals()"])(
  "%s is not run, and what it gives is not known",
  (text) => {
    expect(reading(`${text}\nx = Tensor((2, 3))\ny = relu(x)\n`).said).toEqual([asked]);
  },
);

test.each([
  "import copy\na = copy.deepcopy({'c': outside.thing()})",
  "import copy\na = copy.copy(outside.thing())",
  "a = vars(outside.thing())['b']",
])("what is unknown stays unknown where it is copied or looked into: %s", (text) => {
  const { said } = reading(`import outside\n${text}\nx = Tensor((2, 3))\ny = relu(x)\n`);
  expect(said).toEqual(["warning document/unknown-module ModuleNotFoundError"]);
});
