import { expect, test } from "vitest";
import {
  type Argument,
  bindAnnotation,
  parseAnnotation,
  partition,
  printSplit,
  transformSpace,
} from "#core/dimops";
import { entryOf } from "#core/ir";

/** The operator of a library call, bound to the shapes of its tensors. */
function boundCall(
  name: string,
  inputs: readonly (readonly number[])[],
  attributes: Readonly<Record<string, unknown>>,
) {
  const given = Object.fromEntries(Object.entries(attributes));
  const annotation = entryOf(name)?.annotate({
    inputs,
    attributes: JSON.parse(JSON.stringify(given)),
  });
  const parsed = parseAnnotation(annotation ?? "");
  if (!parsed.ok) throw new Error(annotation);
  const tensors = inputs.map((shape): Argument => ({ kind: "tensor", shape }));
  const bound = bindAnnotation(parsed.value, tensors, {});
  if (!bound.ok) throw new Error(bound.diagnostics[0]?.message);
  return { annotation, space: transformSpace(parsed.value), bound: bound.value };
}

// dimops.md §2.1, "View/Reshape"
test.each`
  from                         | to                    | space
  ${[2, 12, 768]}              | ${[2, 12, 12, 64]}    | ${[[0, 0], [0, 1], [0, 2]]}
  ${[2, 3, 4]}                 | ${[6, 4]}             | ${[[0, 0], [0, 2]]}
  ${[2048, 16, 64]}            | ${[2048, 2, 512]}     | ${[[0, 0], [0, 1]]}
  ${[10, 12, 16, 18]}          | ${[10, 2, 3, 32, 18]} | ${[[0, 0], [0, 1], [0, 3]]}
  ${[2, 16, 32, 32]}           | ${[1, 32, 32, 32]}    | ${[[0, 0], [0, 2], [0, 3]]}
  ${[6, 4]}                    | ${[4, 6]}             | ${[]}
  ${[4, 6]}                    | ${[8, 3]}             | ${[[0, 0]]}
  ${[8, 3]}                    | ${[4, 6]}             | ${[[0, 0]]}
  ${[10, 1, 1, 5, 1, 7, 1, 1]} | ${[10, 5, 7]}         | ${[[0, 0], [0, 3], [0, 5]]}
`("[§2.1] a view of $from as $to may be split along $space", ({ from, to, space }) => {
  expect(boundCall("reshape", [from], { shape: to }).space).toEqual(space);
});

test.each`
  from              | to                 | config       | rule
  ${[2, 12, 768]}   | ${[2, 12, 12, 64]} | ${[0, 2, 2]} | ${"D2 -> D2"}
  ${[2, 12, 768]}   | ${[2, 12, 12, 64]} | ${[0, 2, 4]} | ${"D2 -> D2"}
  ${[2, 12, 768]}   | ${[2, 12, 12, 64]} | ${[0, 2, 8]} | ${"declined"}
  ${[2, 3, 4]}      | ${[6, 4]}          | ${[0, 0, 2]} | ${"D0 -> D0"}
  ${[2, 3, 4]}      | ${[6, 4]}          | ${[0, 1, 3]} | ${"declined"}
  ${[2048, 16, 64]} | ${[2048, 2, 512]}  | ${[0, 1, 2]} | ${"D1 -> D1"}
  ${[8, 3]}         | ${[4, 6]}          | ${[0, 0, 4]} | ${"D0 -> D0"}
  ${[8, 3]}         | ${[4, 6]}          | ${[0, 0, 8]} | ${"declined"}
`("[§2.1] a view of $from as $to split by $config is $rule", ({ from, to, config, rule }) => {
  const [operand, dim, count] = config;
  const parts = partition(boundCall("reshape", [from], { shape: to }).bound, {
    operand,
    dim,
    count,
  });
  if (!parts.ok) return expect(parts.refused ? "declined" : "failed").toBe(rule);
  const sides = [parts.rule.inputs, parts.rule.outputs].map((side) =>
    side.map(printSplit).join(" "),
  );
  expect(sides.join(" -> ")).toBe(rule);
});

// dimops.md §2.1, "Other shapes"
test.each`
  name         | inputs         | attributes                     | annotation
  ${"softmax"} | ${[[2, 3, 4]]} | ${{ dim: -1 }}                 | ${"a b c^ -> a b c^"}
  ${"sum"}     | ${[[2, 3]]}    | ${{}}                          | ${"a+ b+ -> 1"}
  ${"sum"}     | ${[[2, 3]]}    | ${{ dim: [1], keepdim: true }} | ${"a b+ -> a 1"}
  ${"mean"}    | ${[[2, 3]]}    | ${{ dim: [1] }}                | ${"a b^ -> a"}
  ${"repeat"}  | ${[[2, 3]]}    | ${{ repeats: [4, 1] }}         | ${"a^ b -> (4 a^) b"}
`("[§2.1] $name of $inputs with $attributes is $annotation", (row) => {
  expect(boundCall(row.name, row.inputs, row.attributes).annotation).toBe(row.annotation);
});

test("[§2.1] a grouped convolution splits along its groups: channels, filters and results alike", () => {
  const { annotation, bound } = boundCall(
    "conv2d",
    [
      [2, 8, 8, 8],
      [16, 2, 3, 3],
    ],
    { groups: 4, padding: 1 },
  );
  expect(annotation).toMatch(/\(groups c\^\) .*\(groups o\^\)/);
  const parts = partition(bound, { operand: 0, dim: 1, count: 2 });
  if (!parts.ok) throw new Error(parts.diagnostics[0]?.message);
  expect([...parts.rule.inputs, ...parts.rule.outputs].map(printSplit)).toEqual(["D1", "D0", "D1"]);
});
