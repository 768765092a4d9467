import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readDocument } from "#systems";

/** Random programs with what PyTorch says of them, as `engines/record_random_dtypes.py` writes it down. */
const recorded: {
  readonly head: string;
  /** The types are names, each with its dtype behind it. */
  readonly programs: readonly { readonly text: string; readonly types: string }[];
} = JSON.parse(readFileSync("src/systems/torch/library/random-dtypes.json", "utf8"));

test.each(recorded.programs)("random program $# has PyTorch's dtypes", ({ text, types }) => {
  const program = `${recorded.head}\n${text}`;
  const { graph, diagnostics } = readDocument(program);
  const known = new Map(graph.tensors.map(({ name, dtype }) => [name, dtype]));
  const said = types.replace(/(v\d+) \w+/g, (_, name) => `${name} ${known.get(name)}`);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(
    errors.map(({ message }) => message),
    program,
  ).toEqual([]);
  expect(said, program).toBe(types);
});
