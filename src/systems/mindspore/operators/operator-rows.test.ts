import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { OperatorCall } from "./call.ts";
import { modelOperator, type OperatorModel, type WrittenStrategy } from "./model-operator.ts";
import { callOf } from "./operators.testing.ts";

/** One row of mindspore.md: a call with its strategy, and its documented results. */
interface Row extends Partial<Omit<OperatorCall, "op" | "shapes">> {
  readonly section: string;
  readonly what: string;
  readonly op: string;
  readonly shapes: OperatorCall["shapes"];
  readonly strategies?: readonly (readonly number[])[];
  readonly out?: readonly number[];
  readonly layouts?: {
    readonly matrix: readonly number[];
    readonly maps: Extract<WrittenStrategy, { kind: "layouts" }>["inputs"];
    readonly out?: Extract<WrittenStrategy, { kind: "layouts" }>["inputs"][number];
    readonly interleaved?: boolean;
  };
  readonly expect: Readonly<Record<string, unknown>>;
}

const rows: readonly Row[] = JSON.parse(
  readFileSync("src/systems/mindspore/operators/operator-rows.json", "utf8"),
);

function strategyOf({ strategies, out, layouts }: Row): WrittenStrategy {
  if (layouts === undefined) {
    return {
      kind: "tuples",
      ...(strategies && { inputs: strategies }),
      ...(out && { output: out }),
    };
  }
  const { matrix, maps, out: output, interleaved: isInterleaved = false } = layouts;
  const written = { deviceMatrix: matrix, inputs: maps, isInterleaved };
  return { kind: "layouts", ...written, ...(output && { output }) };
}

/** All results that a row may state, by the names in the data file. */
function told(model: OperatorModel): Readonly<Record<string, unknown>> {
  const [output] = model.outputs;
  return {
    matrix: model.deviceMatrix,
    maps: model.inputMaps,
    inputSlices: model.inputSlices,
    outputs: model.outputs.length,
    outMap: output?.map,
    outMatrix: output?.deviceMatrix,
    outSlice: output?.slice,
    repeated: model.repeated,
    forward: model.forward.map(({ primitive, group }) => [primitive, group]),
    mirror: model.mirror.map(({ input, group }) => [input, group]),
    lossDivisor: model.lossDivisor,
    offset: model.offset,
    interleaved: model.interleaved,
  };
}

const sections = [...new Set(rows.map(({ section }) => section))];

test.each(sections)("[§%s] every row of the data file holds", (section) => {
  for (const row of rows.filter((each) => each.section === section)) {
    const { section: _, what, op, shapes, strategies: _s, out: _o, layouts: _l, ...rest } = row;
    const { expect: wanted, ...more } = rest;
    const model = modelOperator(callOf(op, shapes, more), strategyOf(row));
    const [said] = model.diagnostics;
    if (typeof wanted.refused === "string") {
      expect([model.ok, said?.upstream], what).toEqual([false, "RuntimeError"]);
      expect(said?.message, what).toContain(wanted.refused);
      continue;
    }
    if (!model.ok) throw new Error(`${what}: ${said?.message}`);
    const { warned, ...facts } = wanted;
    if (typeof warned === "string") expect(said?.message, what).toContain(warned);
    else expect(model.diagnostics, what).toEqual([]);
    expect(told(model.value), what).toMatchObject(facts);
  }
});
