import { expect, test } from "vitest";
import { parseLayout } from "#core/mesh";
import { passedValue } from "../core/mesh/layouts.testing.ts";
import { conflictOf, demandText } from "./conflict.ts";
import { optimize } from "./optimize.ts";
import type { PlanRequest } from "./problem.ts";
import { requestOf } from "./small-programs.testing.ts";

const isImpossible = (request: PlanRequest) => !optimize(request).ok;

/** A request that no plan meets: ten pinned layers, and an end that the last one cannot have. */
function impossible(): PlanRequest {
  const layers = Array.from({ length: 10 }, (_, at) => `h${at + 1} = matmul(h${at}, w)`);
  const head = ["mesh = Mesh(a=2)", "h0 = Tensor((16, 16))", "w = Parameter((16, 16))"];
  const request = requestOf([...head, ...layers].join("\n"));
  const { operators, outputs } = request.graph;
  const cut = passedValue(parseLayout("_,_", request.mesh));
  const axis = { kind: "axis", axis: "a", before: 1, size: 2 } as const;
  return {
    ...request,
    pins: new Map(operators.map(({ id }) => [id, { cuts: { m: [axis] }, carry: [] }])),
    ends: new Map(outputs.map((id) => [id, cut])),
    forbid: ["all-gather", "all-to-all", "all-reduce"],
  };
}

test("demands that no plan meets together are found by name, and each of them is needed", () => {
  const request = impossible();
  expect(optimize(request)).toMatchObject({ ok: false, diagnostic: { code: "planner/no-plan" } });
  const conflict = conflictOf(request, isImpossible);
  expect(conflict.isMinimal).toBe(true);
  expect(conflict.demands.map(demandText)).toEqual([
    'the pin of "h10"',
    'the layout asked of "h10"',
    "all-gather being forbidden",
  ]);
});

test("a program that has no plan at all needs no demand for it", () => {
  expect(conflictOf(impossible(), () => true)).toEqual({ demands: [], isMinimal: true });
});

test("where too many would have to be asked, what is left is said to be more than needed", () => {
  const request = impossible();
  const only = request.graph.operators.map(({ id }) => id);
  const needsAll = (asked: PlanRequest) => only.every((id) => asked.pins.has(id));
  const conflict = conflictOf(request, needsAll);
  expect(conflict.demands.every(({ kind }) => kind === "pin")).toBe(true);
  let asked = 0;
  const never = conflictOf(
    { ...request, pins: new Map(manyPins(request)), graph: manyOperators(request) },
    () => {
      asked += 1;
      return false;
    },
  );
  expect(asked).toBe(64);
  expect(never.isMinimal).toBe(false);
});

function manyOperators({ graph }: PlanRequest): PlanRequest["graph"] {
  const [first] = graph.operators;
  if (first === undefined) throw new Error("no operator");
  const operators = Array.from({ length: 80 }, (_, at) => {
    const id = `many${at}` as typeof first.id;
    return { ...first, id, name: id };
  });
  return { ...graph, operators };
}

function manyPins(request: PlanRequest) {
  return manyOperators(request).operators.map(({ id }) => [id, { cuts: {}, carry: [] }] as const);
}
