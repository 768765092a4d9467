import { expect, test } from "vitest";
import { printGradient } from "./body/index.ts";
import {
  type BoundCall,
  bindCall,
  type CallShapes,
  entries,
  entryOf,
  gradientAnnotation,
  type LibraryEntry,
  linearGroups,
} from "./index.ts";

const shapesOf = (all: CallShapes["inputs"]) =>
  all.map((shape) => (shape === undefined ? "?" : `[${shape}]`)).join(" ");

const sizes: Readonly<Record<string, number>> = { a: 2, b: 3, c: 4 };

/** All declared facts of an entry, for its sample call. */
function saidOf(entry: LibraryEntry): string {
  const { name, parameters } = entry;
  const call = entry.sample((size, multipleOf = 1) => (sizes[size] ?? 2) * multipleOf);
  const bound = bindCall(entry, call);
  if (!bound.ok) throw new Error(`${name}: ${bound.diagnostics[0]?.message}`);
  const { outputs } = bound.value.call;
  const attributes = Object.entries(call.attributes).map(([key, value]) => ` ${key}=${value}`);
  const linear = linearGroups(entry, call.inputs).map((group) => `{${group}}`);
  return [
    `${name} ${shapesOf(call.inputs)}${attributes.join("")}`,
    `  ${entry.annotate(call)}`,
    `  makes ${shapesOf(outputs.map(({ shape }) => shape))}; linear in ${linear.join(" ") || "nothing"}`,
    ...keptOf(entry, bound.value.call),
    ...entry
      .gradient(bound.value.call)
      .map((steps) => `  back: ${printGradient(steps, parameters)}`),
  ].join("\n");
}

/** The memory that autograd keeps of a call whose gradients are all made, if the entry says so. */
function keptOf({ keeps, parameters }: LibraryEntry, call: BoundCall): readonly string[] {
  if (keeps === undefined) return [];
  const all = keeps(call, new Set(call.inputs.keys())).map((kept) => {
    if (kept.kind !== "statistics" && kept.kind !== "beside")
      return kept.kind === "operand" ? parameters[kept.at] : `out${kept.at}`;
    const bytes = kept.bytes === undefined ? "" : ` of ${kept.bytes} B`;
    if (kept.kind === "statistics") return `${kept.name}${bytes} (${kept.axes.join(" ")})`;
    return `${kept.name}${bytes} like ${kept.like === "operand" ? parameters[kept.at] : "out0"}`;
  });
  return [`  keeps: ${all.join(", ") || "nothing"}`];
}

test("every entry annotates, shapes and differentiates its sample call as written down", async () => {
  const lines = entries.map(saidOf);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./entries.golden.txt");
});

test.each`
  name            | inputs                               | attributes                 | message
  ${"matmul"}     | ${[[2, 3], [4, 5]]}                  | ${{}}                      | ${'identifier "k" is 3 in dim 1 of input 0 but 4 in dim 0 of input 1'}
  ${"add"}        | ${[[2, 3], [4]]}                     | ${{}}                      | ${'identifier "b" is 3 in dim 1 of input 0 but 4 in dim 0 of input 1'}
  ${"linear"}     | ${[[2, 4], [5, 3]]}                  | ${{}}                      | ${'identifier "k" is 4 in dim 1 of input 0 but 3 in dim 1 of input 1'}
  ${"conv2d"}     | ${[[2, 3, 8, 8], [4, 2, 3, 3]]}      | ${{}}                      | ${'identifier "c" is 3 in dim 1 of input 0 but 2 in dim 1 of input 1'}
  ${"concat"}     | ${[[2, 3], [3, 3]]}                  | ${{ dim: 1 }}              | ${'identifier "a" is 2 in dim 0 of input 0 but 3 in dim 0 of input 1'}
  ${"einsum"}     | ${[[2, 3], [4]]}                     | ${{ equation: "ij,j->i" }} | ${'identifier "j" is 3 in dim 1 of input 0 but 4 in dim 0 of input 1'}
  ${"embedding"}  | ${[[2], [3]]}                        | ${{}}                      | ${'input 1 has the shape (3,), but its annotation "n+ k" wants rank 2'}
  ${"attention"}  | ${[[2, 4, 4], [2, 4, 3], [2, 4, 3]]} | ${{}}                      | ${'identifier "e" is 4 in dim 2 of input 0 but 3 in dim 2 of input 1'}
  ${"layer_norm"} | ${[[2, 3], [4]]}                     | ${{}}                      | ${'identifier "b" is 3 in dim 1 of input 0 but 4 in dim 0 of input 1'}
`("$name of $inputs is refused: $message", ({ name, inputs, attributes, message }) => {
  const entry = entryOf(name);
  const bound = entry && bindCall(entry, { inputs, attributes });
  expect(bound?.diagnostics.map((each) => each.message)).toEqual([message]);
});

// A number in place of an operand leaves the call affine, so its linear group is dropped.
test.each`
  name        | inputs                   | groups
  ${"add"}    | ${[[2], [2]]}            | ${[[0, 1]]}
  ${"add"}    | ${[[2], undefined]}      | ${[]}
  ${"mul"}    | ${[[2], [2]]}            | ${[[0], [1]]}
  ${"mul"}    | ${[[2], undefined]}      | ${[[0]]}
  ${"linear"} | ${[[2, 4], [5, 4]]}      | ${[[0], [1]]}
  ${"linear"} | ${[[2, 4], [5, 4], [5]]} | ${[[0, 2], [1, 2]]}
  ${"exp"}    | ${[[2]]}                 | ${[]}
`("$name of $inputs is linear in $groups", ({ name, inputs, groups }) => {
  const entry = entryOf(name);
  expect(entry && linearGroups(entry, inputs)).toEqual(groups);
});

// Dims and operands in short: the identifiers of a word are one dim, `_` is an operand that is no
// tensor; k is frozen.
test.each`
  operands     | target   | annotation
  ${"m.n k.n"} | ${"m.k"} | ${"m n+, k^ n+ -> m k^"}
  ${"m.n m.k"} | ${"k.n"} | ${"m+ n, m+ k^ -> k^ n"}
  ${"mn _"}    | ${"m.n"} | ${"(m n), ? -> m n"}
  ${"m.4"}     | ${"4"}   | ${"m+ 4 -> 4"}
  ${"m"}       | ${""}    | ${"m+ -> 1"}
`("the gradient of $target from $operands is annotated $annotation", (row) => {
  const dimsOf = (text: string) => ({
    dims: text
      .split(".")
      .filter(Boolean)
      .map((dim) => ({ identifiers: [...dim] })),
  });
  const operands = row.operands
    .split(" ")
    .map((text: string) => (text === "_" ? undefined : dimsOf(text)));
  const reductionOf = (name: string) => (name === "k" ? "^" : "");
  expect(gradientAnnotation(operands, dimsOf(row.target), reductionOf)).toBe(row.annotation);
});
