import { expect, test } from "vitest";
import { compare } from "./conformance.testing.ts";

const fault = { code: "a/b", message: 'the size "k" is 3', from: 0, to: 0, line: 1, column: 1 };
const error = { ...fault, severity: "error", upstream: "ValueError" } as const;
const warning = { ...fault, severity: "warning", upstream: "TypeError" } as const;
const gather = { collective: "all-gather", groups: [[0, 1]], layout: "_,x:(1)2" };
const reduce = {
  collective: "all-reduce",
  groups: [
    [3, 2],
    [1, 0],
  ],
  layout: "_",
};
const slice = { collective: "slice", layout: "x,_" };
const operator = { collective: "operator", operator: "y" };
const row = (device: number, start: number) => ({ device, ranges: [[start, 4]], partial: true });
const issue = { type: "E", constraint: "RangeConstraint", contexts: [{ name: "a", path: "/b/7" }] };

/** Each rule with an answer, an expectation that holds and one that must not. */
const table: readonly (readonly [string, object, object, object])[] = [
  ["plain fields", { a: [1, { b: 2, c: 3 }] }, { a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }],
  ["lengths", { a: [1, 2] }, { a: [1, 2] }, { a: [1] }],
  ["numbers", { n: 1e12 + 1 }, { n: 1e12 }, { n: 1.01e12 }],
  ["small numbers", { n: 0.5 }, { n: 0.5 + 1e-10 }, { n: 0.5 + 1e-8 }],
  ["refusals", { ok: false, refused: true }, { ok: false, refused: true }, { ok: true }],
  ["upstream", { diagnostics: [warning] }, { upstream: "TypeError" }, { upstream: "KeyError" }],
  [
    "upstream lists",
    { diagnostics: [error] },
    { $upstream: ["A", "ValueError"] },
    { $upstream: ["A"] },
  ],
  [
    "upstream of a refusal",
    { ok: false, diagnostics: [error, warning] },
    { ok: false, upstream: "ValueError" },
    { ok: false, upstream: "TypeError" },
  ],
  [
    "said texts",
    { diagnostics: [error] },
    { diagnostics_any: ["SIZE"] },
    { diagnostics_any: ["shape"] },
  ],
  [
    "said letters",
    { diagnostics: [error] },
    { diagnostics_any: ["k"] },
    { diagnostics_any: ["s"] },
  ],
  ["no errors", { diagnostics: [warning] }, { no_errors: true }, { no_errors: false }],
  ["clean", { diagnostics: [error] }, { $clean: false }, { $clean: true }],
  ["time", {}, { $within: 2 }, { $within: 0.5 }],
  [
    "ranges",
    { slices: [row(0, 0), row(1, 2)] },
    { $ranges: { 0: [[0, 4]], 1: [[2, 4]] } },
    { $ranges: { 0: [[0, 4]] } },
  ],
  [
    "ranges in pieces",
    { slices: [row(0, 0), row(0, 2)] },
    { $ranges: { 0: [[[0, 4]], [[2, 4]]] } },
    { $ranges: { 0: [[0, 4]] } },
  ],
  ["partial", { slices: [row(0, 0)] }, { $partial: true }, { $partial: false }],
  [
    "steps",
    { steps: [slice, gather] },
    { $steps: [{ collective: "slice" }, { collective: "all-gather", layout: "_,x" }] },
    { $steps: [{ collective: "all-gather" }] },
  ],
  ["layouts", { layout: "_,x:(1)2" }, { layout: "_,x" }, { layout: "x,_" }],
  ["counts", { steps: [slice, gather] }, { $counts: { "all-gather": 1 } }, { $counts: {} }],
  ["totals", { steps: [slice, gather, reduce] }, { $total: 2 }, { $total: 3 }],
  [
    "collectives",
    { steps: [operator, slice, gather] },
    { collectives: [{ collective: "all-gather", groups: [[0, 1]] }] },
    { collectives: [] },
  ],
  [
    "counted collectives",
    { steps: [operator, gather] },
    { collectives: { "all-gather": 1, "all-to-all": 0 } },
    { collectives: { "all-gather": 0 } },
  ],
  [
    "groups of a gather",
    { steps: [gather] },
    { steps: [{ groups: [[0, 1]] }] },
    { steps: [{ groups: [[1, 0]] }] },
  ],
  [
    "groups of an all-reduce",
    { steps: [reduce] },
    {
      steps: [
        {
          groups: [
            [0, 1],
            [2, 3],
          ],
        },
      ],
    },
    {
      steps: [
        {
          groups: [
            [0, 2],
            [1, 3],
          ],
        },
      ],
    },
  ],
  [
    "front",
    {
      front: [
        { steps: 1, elements: 9 },
        { steps: 2, elements: 4 },
      ],
    },
    { $front: { elements: 4 } },
    { $front: { elements: 3 } },
  ],
  [
    "domination",
    {
      front: [
        { steps: 1, elements: 9 },
        { steps: 2, elements: 4 },
      ],
    },
    { $dominates: { steps: 2, elements: 5 } },
    { $dominates: { steps: 1, elements: 5 } },
  ],
  ["least", { elements: 12 }, { $least: [6, 2] }, { $least: [13, null] }],
  ["least with a factor", { elements: 12 }, { $least: [0, 2] }, { $least: [5, 2] }],
  [
    "close",
    { cost: { seconds: 1.05 } },
    { $close: { "cost.seconds": [1, 0.1] } },
    { $close: { "cost.seconds": [1, 0.01] } },
  ],
  [
    "named tensors",
    {
      tensors: [
        { name: "y", a: 1 },
        { name: "x", a: 2 },
      ],
    },
    { tensors: [{ name: "x", a: 2 }] },
    { tensors: [{ name: "x", a: 1 }] },
  ],
  [
    "operators by op",
    {
      operators: [
        { name: "y", op: "M" },
        { name: "z", op: "R" },
      ],
    },
    { operators: [{ op: "M" }] },
    { operators: [{ op: "S" }] },
  ],
  [
    "issues",
    { issues: [{ type: "F" }, issue] },
    { issues: [{ constraint: "Range" }, { type: "F" }] },
    { issues: [{ constraint: "Range" }] },
  ],
  [
    "issue contexts",
    { issues: [issue] },
    { issues: [{ contexts: [{ name: "a", path: "/b/7" }] }] },
    { issues: [{ contexts: [{ name: "b" }] }] },
  ],
  [
    "issue counts",
    { issues: [issue] },
    { $issues: { type: "E", count: 1 } },
    { $issues: { type: "E", count: 2 } },
  ],
  ["issue paths", { issues: [issue] }, { issue_paths: ["7"] }, { issue_paths: ["8"] }],
  [
    "primitives",
    { forward: [{ primitive: "AllReduce", group: [1, 0] }] },
    { $primitives: ["AllReduce"] },
    { $primitives: [] },
  ],
  [
    "forward groups",
    { forward: [{ primitive: "AllReduce", group: [1, 0] }] },
    { $groups: [[0, 1]] },
    { $groups: [[0, 2]] },
  ],
  [
    "mirrors",
    { mirror: [{ input: 1, group: [1, 0] }] },
    { $mirrors: { 1: [0, 1] } },
    { $mirrors: {} },
  ],
  [
    "slices of inputs",
    { input_slices: [[1], [2, 3]] },
    { $slice: { input: 1, shape: [2, 3] } },
    { $slice: { input: 0, shape: [2] } },
  ],
];

test.each(table)("%s: what holds passes, what does not is named", (_, fields, holds, fails) => {
  const request = { command: "plan", args: { mesh: [["x", 2]] } };
  const answer = { ok: true, diagnostics: [], ...fields };
  expect(compare(request, { ...holds }, answer, 1)).toEqual([]);
  expect(compare(request, { ...fails }, answer, 1)).not.toEqual([]);
});
