import fc from "fast-check";
import { expect, test } from "vitest";
import { type Graph, tensorsById } from "#core/ir";
import { cutsOfBody, operatorBody, withCutsOfBody } from "#core/ir/body";
import { type DeviceMesh, wholeAxis } from "#core/mesh";
import { isSplittable, type OperatorPlan, propagate } from "#core/plan";
import { lower } from "#core/program";
import { testMesh } from "../../core/plan/graph.testing.ts";
import { sampleCalls } from "../reference/calls.testing.ts";
import { createSeen, gradientCalls, graphOf } from "../reference/operator.testing.ts";
import { runProgram } from "./run-program.ts";

const soak = process.env.SOAK === undefined ? 1 : 10;

/**
 * The identifiers of a one-operator graph that may be cut without losing values. One that leads a
 * bracket must be divisible: blocks of an uneven dim end elsewhere than blocks of its identifiers.
 */
function cutsOf(graph: Graph): readonly string[] {
  const [operator] = graph.operators;
  if (operator === undefined) return [];
  const dims = [...operator.inputs, ...operator.outputs].flatMap((operand) => operand.dims);
  return operator.axes
    .filter(({ name, size, reduction }) => {
      const holding = dims.filter(({ identifiers }) => identifiers.includes(name));
      const isEven = size % 4 === 0 || holding.every(({ identifiers }) => identifiers.length === 1);
      const isKept = operator.outputs.every((output) =>
        output.dims.some(({ identifiers }) => identifiers.includes(name)),
      );
      const isCombined = reduction === "+" || operator.inner?.includes(name) === true;
      return isSplittable(operator, name) && isEven && (isKept || isCombined);
    })
    .map(({ name }) => name);
}

/** A graph whose operators may be cut as their bodies allow, beyond their annotations. */
function cutByBody(graph: Graph): Graph {
  const tensors = tensorsById(graph);
  const operators = graph.operators.map((operator) => {
    const { call, body } = operatorBody(operator, (id) => tensors.get(id)?.shape ?? []);
    return withCutsOfBody(operator, cutsOfBody(call, body, operator.combine));
  });
  return { ...graph, operators };
}

/**
 * A graph with the cuts that its annotations allow, and once more with those of its bodies if these
 * are more.
 */
function cutEitherWay(graph: Graph): readonly Graph[] {
  const byBody = cutByBody(graph);
  return textOf(byBody) === textOf(graph) ? [graph] : [graph, byBody];
}

/** The text of a graph. An empty list of axes combined inside means the same as none. */
function textOf(graph: Graph): string {
  return JSON.stringify(graph, (key, value) =>
    key === "inner" && value.length === 0 ? undefined : value,
  );
}

/** Every way to cut at most two identifiers, each by an axis of the mesh, or one by both. */
function strategiesOf(names: readonly string[]): readonly Readonly<Record<string, string[]>>[] {
  const single = names.flatMap((name) => [{ [name]: ["p"] }, { [name]: ["q", "p"] }]);
  const pairs = names.flatMap((a, at) =>
    names.slice(at + 1).map((b) => ({ [a]: ["p"], [b]: ["q"] })),
  );
  return [{}, ...single, ...pairs];
}

function programOf(graph: Graph, mesh: DeviceMesh, cuts: Readonly<Record<string, string[]>>) {
  const parts = Object.entries(cuts).map(([name, axes]) => [
    name,
    axes.map((axis) => wholeAxis(mesh, axis)),
  ]);
  const strategy = { cuts: Object.fromEntries(parts), carry: [] };
  const plan: OperatorPlan = { strategy, mesh, status: "set" };
  const operators = new Map(graph.operators.map(({ id }) => [id, plan]));
  const completed = propagate(graph, mesh, { operators, placements: new Map() });
  return lower(graph, completed.plan);
}

/** The faults of an operator under every legal cut. */
function faultsOf(graph: Graph, seed: number): readonly string[] {
  const mesh = testMesh({ p: 2, q: 2 });
  return strategiesOf(cutsOf(graph)).flatMap((cuts) => {
    const program = programOf(graph, mesh, cuts);
    return (["integers", "floats"] as const).flatMap((values) => {
      const run = runProgram(program, { seed, values });
      if (run.ok && run.value.equal && Number.isFinite(run.value.maxAbsDiff)) return [];
      const first = run.ok ? JSON.stringify(run.value.first) : run.diagnostics[0]?.message;
      return [`${graph.operators[0]?.call} ${JSON.stringify(cuts)} on ${values}: ${first}`];
    });
  });
}

/** Sizes of a round, cyclic from a seed. */
function drawn(seed: number): () => number {
  const sizes = fc.sample(fc.constantFrom(2, 3, 4), { seed, numRuns: 12 });
  let at = seed;
  return () => sizes[at++ % sizes.length] ?? 2;
}

const rounds = Array.from({ length: soak }, (_, round) => round + 1);
const calls = rounds.flatMap((round) =>
  sampleCalls(drawn(round)).map(({ title, ...rest }) => [title, { ...rest, round }] as const),
);

test.each(calls)("%s equals the reference under every legal split", (_, { entry, call, round }) => {
  for (const graph of cutEitherWay(graphOf(entry, call)))
    expect(faultsOf(graph, round)).toEqual([]);
});

const isNew = createSeen();

test.each(calls)(
  "what makes the gradient of %s equals the reference under every legal split",
  (_, { entry, call, round }) => {
    const gradients = gradientCalls(entry, call).filter(({ graph }) => isNew(graph));
    for (const graph of gradients.flatMap((each) => cutEitherWay(each.graph)))
      expect(faultsOf(graph, round)).toEqual([]);
  },
);
