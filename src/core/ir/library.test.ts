import { expect, test } from "vitest";
import { printBody, printGradient } from "./body/index.ts";
import type { LibraryEntry } from "./entry.ts";
import { bindCall, entries, entryOf, library } from "./index.ts";

test("the library has at least seventy operators under names of their own", () => {
  expect(entries.length).toBeGreaterThanOrEqual(70);
  const names = entries.flatMap(({ name, aliases }) => [name, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
  expect(library.size).toBe(names.length);
  for (const { name, aliases } of entries) {
    for (const alias of aliases) expect(library.get(alias)?.name).toBe(name);
  }
});

test.each`
  name               | inputs                          | attributes                       | annotation
  ${"matmul"}        | ${[[2, 3, 4], [4, 5]]}          | ${{}}                            | ${"a m k+, k+ n -> a m n"}
  ${"linear"}        | ${[[2, 4], [5, 4], [5]]}        | ${{}}                            | ${"a k^, n k^, n -> a n"}
  ${"einsum"}        | ${[[2, 3], [3]]}                | ${{ equation: "ij,j->i" }}       | ${"i j+, j+ -> i"}
  ${"einsum"}        | ${[[2, 3], [3]]}                | ${{ equation: "(b) j, j -> b" }} | ${"(b) j+, j+ -> b"}
  ${"add"}           | ${[[2, 1, 4], [3, 1]]}          | ${{}}                            | ${"a 1 c, b 1 -> a b c"}
  ${"add"}           | ${[[2, 3], undefined]}          | ${{ y: 5 }}                      | ${"a b, ? -> a b"}
  ${"sum"}           | ${[[2, 3]]}                     | ${{}}                            | ${"a+ b+ -> 1"}
  ${"sum"}           | ${[[2, 3]]}                     | ${{ dim: 1, keepdim: true }}     | ${"a b+ -> a 1"}
  ${"mean"}          | ${[[2, 3]]}                     | ${{ dim: [0] }}                  | ${"a^ b -> b"}
  ${"softmax"}       | ${[[2, 3]]}                     | ${{ dim: 0 }}                    | ${"a^ b -> a^ b"}
  ${"layer_norm"}    | ${[[2, 3], [3]]}                | ${{}}                            | ${"a b^, b^ -> a b^"}
  ${"embedding"}     | ${[[2, 3], [9, 4]]}             | ${{}}                            | ${"a b, n+ k -> a b k"}
  ${"cross_entropy"} | ${[[2, 3], [2]]}                | ${{}}                            | ${"a^ b^, a^ -> 1"}
  ${"cross_entropy"} | ${[[2, 3], [2]]}                | ${{ reduction: "sum" }}          | ${"a+ b^, a+ -> 1"}
  ${"expand"}        | ${[[10, 1]]}                    | ${{ size: [-1, 2] }}             | ${"a b^ -> a 2"}
  ${"repeat"}        | ${[[2, 3]]}                     | ${{ repeats: [4, 1] }}           | ${"a^ b -> (4 a^) b"}
  ${"flatten"}       | ${[[2, 3, 4]]}                  | ${{ start_dim: 1 }}              | ${"a b 4 -> a (b 4)"}
  ${"split"}         | ${[[2, 6]]}                     | ${{ split_size: 2, dim: 1 }}     | ${"a b^ -> a 2, a 2, a 2"}
  ${"conv2d"}        | ${[[2, 3, 8, 8], [4, 3, 3, 3]]} | ${{ padding: 1 }}                | ${"n c+ h^ w^, o c+ y^ x^ -> n o 8 8"}
  ${"moe_combine"}   | ${[[4, 2, 3, 5], [2, 6, 4]]}    | ${{}}                            | ${"e+ g s^ d, g t^ e+ -> g t^ d"}
`(
  "$name of $inputs with $attributes is $annotation",
  ({ name, inputs, attributes, annotation }) => {
    expect(entryOf(name)?.annotate({ inputs, attributes })).toBe(annotation);
  },
);

// Shapes and annotations as nnScaler writes them (dimops.md §2.1).
test.each`
  from                         | to                    | annotation
  ${[2, 12, 768]}              | ${[2, 12, 12, 64]}    | ${"a b (c 64) -> a b c 64"}
  ${[2, 3, 4]}                 | ${[6, 4]}             | ${"a 3 b -> (a 3) b"}
  ${[2048, 16, 64]}            | ${[2048, 2, 512]}     | ${"a (b 8) 64 -> a b 512"}
  ${[10, 12, 16, 18]}          | ${[10, 2, 3, 32, 18]} | ${"a (b 6) 16 c -> a b 3 32 c"}
  ${[2, 16, 32, 32]}           | ${[1, 32, 32, 32]}    | ${"a 16 b c -> 1 (a 16) b c"}
  ${[6, 4]}                    | ${[4, 6]}             | ${"6 4 -> 4 6"}
  ${[4, 6]}                    | ${[8, 3]}             | ${"a 6 -> (a 2) 3"}
  ${[8, 3]}                    | ${[4, 6]}             | ${"(a 2) 3 -> a 6"}
  ${[10, 1, 1, 5, 1, 7, 1, 1]} | ${[10, 5, 7]}         | ${"a 1 1 b 1 c 1 1 -> a b c"}
`("a reshape of $from to $to is $annotation", ({ from, to, annotation }) => {
  const text = entryOf("reshape")?.annotate({ inputs: [from], attributes: { shape: to } });
  expect(text).toBe(annotation);
});

/** The gradients of a sample call as text. */
function gradientsOf(name: string): readonly string[] {
  const entry: LibraryEntry | undefined = entryOf(name);
  const bound =
    entry &&
    bindCall(
      entry,
      entry.sample((_, multipleOf = 1) => 4 * multipleOf),
    );
  if (entry === undefined || !bound?.ok) throw new Error(name);
  return entry.gradient(bound.value.call).map((steps) => printGradient(steps, entry.parameters));
}

test.each`
  name         | gradients
  ${"matmul"}  | ${["einsum(dout0, y, scale=1) as a m n+, k n+ -> a m k", "einsum(dout0, x, scale=1) as a+ m+ n, a+ m+ k -> k n"]}
  ${"add"}     | ${["identity(dout0) as a b -> a b", "einsum(dout0, scale=1) as a+ b -> 1 b"]}
  ${"softmax"} | ${["softmax_backward(dout0, x, out0, dim=-1, operand=0) as a b c^, a b c^, a b c^ -> a b c^"]}
  ${"where"}   | ${["none", "where_backward(dout0, condition, x, y, operand=1) as a+ b, a+ b, 1 b, a+ b -> 1 b", "where_backward(dout0, condition, x, y, operand=2) as a b, a b, 1 b, a b -> a b"]}
  ${"argmax"}  | ${["none"]}
`("the gradients of $name are $gradients", ({ name, gradients }) => {
  expect(gradientsOf(name)).toEqual(gradients);
});

test("a body prints as formulas", () => {
  const entry = entryOf("softmax");
  const bound = entry && bindCall(entry, { inputs: [[2, 3]], attributes: {} });
  if (entry === undefined || !bound?.ok) throw new Error("softmax");
  expect(printBody(entry.body(bound.value.call), entry.parameters)).toBe(
    "top[a] = max[b] x; total[a] = sum[b] exp(x - top); exp(x - top) / total",
  );
});
