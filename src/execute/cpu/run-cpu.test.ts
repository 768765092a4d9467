import { expect, test } from "vitest";
import { printLayout } from "#core/mesh";
import { propagate } from "#core/plan";
import { flatSteps, lower, type SpmdProgram } from "#core/program";
import type { StepFault } from "#execute/engine";
import { testGraph, testMesh, testRequests } from "../../core/plan/graph.testing.ts";
import { convolutionGraph, meshOf, planned } from "../verify/windows.testing.ts";
import { runCpu } from "./index.ts";

type Texts = Readonly<Record<string, string>>;

/**
 * A program from short lines `y = a -> a (x); …` on a mesh, with the cuts of each line and the
 * layouts at rest.
 */
function programOf(
  [axes, shapes]: readonly [Readonly<Record<string, number>>, Readonly<Record<string, number[]>>],
  lines: string,
  cuts: Readonly<Record<string, Texts>>,
  rests: Texts = {},
): SpmdProgram {
  const mesh = testMesh(axes);
  const graph = testGraph(
    shapes,
    lines.split("; ").map((line) => {
      const [, result = "", annotation = "", inputs = ""] =
        /^(\w+) = (.*) \((.*)\)$/.exec(line) ?? [];
      return { result, annotation, inputs: inputs.split(" ") };
    }),
  );
  return lower(graph, propagate(graph, mesh, testRequests(mesh, cuts, rests)).plan);
}

/** Runs a program on 1, 2, 3, …: `tensor layout: block | block` of each value, device by device. */
function heldBy(program: SpmdProgram, sabotage?: StepFault): readonly string[] {
  const inputs = program.graph.tensors.flatMap(({ id, shape, producer }) => {
    const size = shape.reduce((product, each) => product * each, 1);
    const values = Float64Array.from({ length: size }, (_, at) => at + 1);
    return producer === undefined ? [[id, values] as const] : [];
  });
  const held = runCpu(program, new Map(inputs), {
    ...{ values: "integers", ...(sabotage !== undefined && { sabotage }) },
  });
  return program.values.map(({ id, tensor, layout }) => {
    const blocks = [...(held.get(id)?.values() ?? [])];
    const texts = blocks.map((each) => each.map(({ values }) => values.join(" ")).join(", "));
    return `${tensor} ${printLayout(layout)}: ${texts.join(" | ")}`;
  });
}

const one = { p: 2 };
const two = { p: 2, q: 2 };
const product = "y = m k+, k+ n -> m n (x w)";
const pair = { x: [1, 2], w: [2, 2] };

// Each row with the expected values of the computed tensors, by hand, from 1, 2, 3, … in every
// tensor.
test.each`
  name                          | axes   | shapes                | lines                      | cuts                    | rests           | held
  ${"an all-gather"}            | ${one} | ${{ x: [4] }}         | ${"y = a^ -> a^ (x)"}      | ${{}}                   | ${{ x: "p" }}   | ${["x p: 1 2 | 3 4", "x _: 1 2 3 4 | 1 2 3 4", "y _: 1 2 3 4 | 1 2 3 4"]}
  ${"one of uneven pieces"}     | ${one} | ${{ x: [3] }}         | ${"y = a^ -> a^ (x)"}      | ${{}}                   | ${{ x: "p" }}   | ${["x p: 1 2 | 3", "x _: 1 2 3 | 1 2 3", "y _: 1 2 3 | 1 2 3"]}
  ${"one with an empty piece"}  | ${two} | ${{ x: [5] }}         | ${"y = a^ -> a^ (x)"}      | ${{}}                   | ${{ x: "p*q" }} | ${["x p*q: 1 2 | 3 4 | 5 | ", "x _: 1 2 3 4 5 | 1 2 3 4 5 | 1 2 3 4 5 | 1 2 3 4 5", "y _: 1 2 3 4 5 | 1 2 3 4 5 | 1 2 3 4 5 | 1 2 3 4 5"]}
  ${"a slice"}                  | ${one} | ${{ x: [4] }}         | ${"y = a -> a (x)"}        | ${{ y: { a: "p" } }}    | ${{ x: "_" }}   | ${["x _: 1 2 3 4 | 1 2 3 4", "x p: 1 2 | 3 4", "y p: 1 2 | 3 4"]}
  ${"an all-to-all"}            | ${one} | ${{ x: [2, 2] }}      | ${"y = a b -> a b (x)"}    | ${{ y: { b: "p" } }}    | ${{ x: "p,_" }} | ${["x p,_: 1 2 | 3 4", "x _,p: 1 3 | 2 4", "y _,p: 1 3 | 2 4"]}
  ${"a permute of two axes"}    | ${two} | ${{ x: [4] }}         | ${"y = a -> a (x)"}        | ${{ y: { a: "q*p" } }}  | ${{ x: "p*q" }} | ${["x p*q: 1 | 2 | 3 | 4", "x q*p: 1 | 3 | 2 | 4", "y q*p: 1 | 3 | 2 | 4"]}
  ${"an all-reduce"}            | ${one} | ${pair}               | ${product}                 | ${{ y: { k: "p" } }}    | ${{ y: "_,_" }} | ${["x _,p: 1 | 2", "w p,_: 1 2 | 3 4", "y _,_|p: 1 2 | 6 8", "y _,_: 7 10 | 7 10"]}
  ${"a reduce-scatter"}         | ${one} | ${pair}               | ${product}                 | ${{ y: { k: "p" } }}    | ${{ y: "_,p" }} | ${["x _,p: 1 | 2", "w p,_: 1 2 | 3 4", "y _,_|p: 1 2 | 6 8", "y _,p: 7 | 10"]}
  ${"a sum of uneven parts"}    | ${one} | ${{ x: [3] }}         | ${"y = a+ -> 1 (x)"}       | ${{ y: { a: "p" } }}    | ${{ y: "_" }}   | ${["x p: 1 2 | 3", "y _|p: 3 | 3", "y _: 6 | 6"]}
  ${"a sum of pieces in turn"}  | ${one} | ${{ x: [4] }}         | ${"y = a+ -> 1 (x)"}       | ${{ y: { a: "~2*p" } }} | ${{ y: "_" }}   | ${["x ~2*p: 1, 3 | 2, 4", "y _|p: 4 | 6", "y _: 10 | 10"]}
  ${"a product of two vectors"} | ${one} | ${{ x: [2], w: [3] }} | ${"y = a, b -> a b (x w)"} | ${{ y: { b: "p" } }}    | ${{}}           | ${["x _: 1 2 | 1 2", "w p: 1 2 | 3", "y _,p: 1 2 2 4 | 3 6"]}
  ${"a transpose"}              | ${one} | ${{ x: [2, 3] }}      | ${"y = a b -> b a (x)"}    | ${{ y: { b: "p" } }}    | ${{}}           | ${["x _,p: 1 2 4 5 | 3 6", "y p,_: 1 4 2 5 | 3 6"]}
  ${"pieces of a joined dim"}   | ${one} | ${{ x: [2, 2] }}      | ${"y = a b -> (a b) (x)"}  | ${{ y: { a: "p" } }}    | ${{}}           | ${["x p,_: 1 2 | 3 4", "y p: 1 2 | 3 4"]}
`("$name leaves $held", ({ axes, shapes, lines, cuts, rests, held }) => {
  expect(heldBy(programOf([axes, shapes], lines, cuts, rests))).toEqual(held);
});

// The last value that a program makes if its collective is left out, or has its members in another
// order.
test.each`
  name                  | axes   | shapes           | lines                   | cuts                   | rests           | drop                                | swap
  ${"an all-gather"}    | ${one} | ${{ x: [4] }}    | ${"y = a^ -> a^ (x)"}   | ${{}}                  | ${{ x: "p" }}   | ${"y _: 1 2 NaN NaN | 3 4 NaN NaN"} | ${"y _: 3 4 1 2 | 3 4 1 2"}
  ${"an all-to-all"}    | ${one} | ${{ x: [2, 2] }} | ${"y = a b -> a b (x)"} | ${{ y: { b: "p" } }}   | ${{ x: "p,_" }} | ${"y _,p: 1 2 | 3 4"}               | ${"y _,p: 4 2 | 3 1"}
  ${"a permute"}        | ${two} | ${{ x: [4] }}    | ${"y = a -> a (x)"}     | ${{ y: { a: "q*p" } }} | ${{ x: "p*q" }} | ${"y q*p: 1 | 2 | 3 | 4"}           | ${"y q*p: NaN | NaN | NaN | 4"}
  ${"an all-reduce"}    | ${one} | ${pair}          | ${product}              | ${{ y: { k: "p" } }}   | ${{ y: "_,_" }} | ${"y _,_: 1 2 | 6 8"}               | ${"y _,_: 7 10 | 7 10"}
  ${"a reduce-scatter"} | ${one} | ${pair}          | ${product}              | ${{ y: { k: "p" } }}   | ${{ y: "_,p" }} | ${"y _,p: 1 | 6"}                   | ${"y _,p: 10 | 7"}
`("without $name there is $drop, in another order $swap", (row) => {
  const program = programOf([row.axes, row.shapes], row.lines, row.cuts, row.rests);
  const step = flatSteps(program).findIndex(({ kind }) => kind === "collective");
  expect(heldBy(program, { step, how: "drop" }).at(-1)).toBe(row.drop);
  expect(heldBy(program, { step, how: "swap" }).at(-1)).toBe(row.swap);
});

// The filter is 1, 2: a result is its point's first cell plus twice its second.
test.each`
  size | step | taps | held
  ${4} | ${1} | ${2} | ${["x m0: 1 2 3 | 4 5", "f _: 1 2 | 1 2", "x m0: 1 2 3 | 3 4 5", "y m0: 5 8 | 11 14"]}
  ${3} | ${2} | ${2} | ${["x m0: 1 2 3 | 4 5 6", "f _: 1 2 | 1 2", "x m0: 1 2 3 4 | 5 6", "y m0: 5 11 | 17"]}
  ${4} | ${1} | ${1} | ${["x m0: 1 2 | 3 4", "f _: 1 | 1", "y m0: 1 2 | 3 4"]}
`("$size windows of $taps by $step exchange halos: $held", ({ size, step, taps, held }) => {
  const graph = convolutionGraph([{ size, step, taps, dilation: 1, margin: 0 }]);
  expect(heldBy(planned(graph, meshOf([2]), [0], { x: [0] }))).toEqual(held);
});
