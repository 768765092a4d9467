import fc from "fast-check";
import { expect, test } from "vitest";
import { rowsOf } from "#app/scene";
import { compile } from "#compile";
import { answerTo } from "../commands.ts";

const base = "http://tensortapestry.org/schemas/loom/2024-01/";
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

interface Moved {
  readonly starts: readonly number[];
  readonly sizes: readonly number[];
}

/** A graph `y = copy(x)` of two tensors with arbitrary starts. */
function graphOf({ starts, sizes }: Moved, by: number): string {
  const rangeFrom = (from: readonly number[]) => ({
    start: from,
    end: from.map((start, dim) => start + (sizes[dim] ?? 0)),
  });
  const own = [starts, starts.map((start) => start + by)];
  const tensors = own.map((from, at) => ({
    id: idOf(at + 1),
    type: `${base}node_types.jsd#/nodes/Tensor`,
    label: at === 0 ? "x" : "y",
    body: { dtype: "float32", range: rangeFrom(from) },
  }));
  const rows = sizes.map((_, dim) => sizes.map((__, axis) => (axis === dim ? 1 : 0)));
  const ones = sizes.map(() => 1);
  const projectionFrom = (offset: readonly number[]) => ({
    affineMap: { projection: rows, offset },
    shape: ones,
  });
  const selected = (at: number) => [{ tensorId: idOf(at + 1), range: rangeFrom(own[at] ?? []) }];
  const zero = sizes.map(() => 0);
  const operation = {
    id: idOf(3),
    type: `${base}node_types.jsd#/nodes/Operation`,
    label: "copy",
    body: {
      kernel: "copy",
      params: { index_names: ["a", "b"] },
      inputs: { x: selected(0) },
      outputs: { y: selected(1) },
    },
    tags: {
      [`${base}tag_types.jsd#/tags/IPFIndex`]: { start: zero, end: sizes },
      [`${base}tag_types.jsd#/tags/IPFSignature`]: {
        inputs: { x: [projectionFrom(own[0] ?? [])] },
        outputs: { y: [projectionFrom(own[1] ?? [])] },
      },
    },
  };
  return JSON.stringify({ id: idOf(9), nodes: [...tensors, operation] });
}

/** Parses the text of a cell as a range. */
function readBack(text: string): readonly [number, number] {
  const [first = 0, last = first] = text.split("…").map((word) => Number(word.replace("−", "-")));
  return [first, last + 1];
}

test("tables of devices have the ranges of `slices`, wherever a tensor begins", () => {
  const start = fc.integer({ min: -300, max: 300 });
  const size = fc.integer({ min: 1, max: 12 });
  const moved = fc.record({ starts: fc.tuple(start, start), sizes: fc.tuple(size, size) });
  const plan = fc.constantFrom(
    ...['place("x", layout("mp", "None"))', 'strategy("copy", a="mp")', 'strategy("copy", b="mp")'],
    ...['place("x", layout("None", ("mp", "dp")))\nstrategy("copy", a="dp")', ""],
  );
  fc.assert(
    fc.property(moved, fc.integer({ min: -9, max: 9 }), plan, (where, by, words) => {
      const program = graphOf(where, by);
      const planText = `mesh = Mesh(dp=2, mp=3)\n${words}\n`;
      const { tensors, program: compiled } = compile(program, { planText });
      for (const view of tensors) {
        const tensor = compiled.graph.tensors.find(({ id }) => id === view.tensor);
        if (tensor === undefined) throw new Error(`no tensor ${view.tensor}`);
        const rows = rowsOf(view, tensor);
        const { slices } = answerTo("slices", { program, planText, tensor: tensor.name });
        expect(
          rows.map(({ device, ranges }) => ({
            device,
            ranges: ranges.map((range) => [range.start, range.stop]),
          })),
        ).toEqual(
          JSON.parse(JSON.stringify(slices)).map((slice: { device: number; ranges: unknown }) => {
            return { device: slice.device, ranges: slice.ranges };
          }),
        );
        for (const { start: from, stop, text } of rows.flatMap(({ ranges }) => ranges)) {
          if (from < stop) expect(readBack(text)).toEqual([from, stop]);
        }
      }
    }),
    { seed: 1, numRuns: process.env["SOAK"] === undefined ? 40 : 1000 },
  );
});
