import type { Span } from "#core/diagnostics";
import { type Bound, partitionPiece } from "#core/dimops";
import {
  bindArguments,
  hostFunction,
  integer,
  integerOf,
  itemsOf,
  none,
  textOf,
} from "#language/document/bindings/values";
import type { Argument, Context, HostType, Value } from "#language/python";
import { isUnannotated, leavesOf, type PolicyNode } from "./policy-node.ts";
import type { Act, PolicyRun } from "./policy-run.ts";

/** Methods of nodes, by nnScaler's names. */
export const nodeActs: Readonly<Record<string, Act>> = {
  algorithm,
  transform_space: ({ objects }, [self]) => spaceOf(objects.nodeOf(self?.value)),
  inputs: (run, [self]) => sideOf(run, self, "inputsOf"),
  outputs: (run, [self]) => sideOf(run, self, "outputsOf"),
  input: (run, [self, at]) => itemAt(sideOf(run, self, "inputsOf"), at),
  output: (run, [self, at]) => itemAt(sideOf(run, self, "outputsOf"), at),
  isfw: () => ({ kind: "bool", value: true }),
};

/** Properties of nodes: the devices, empty for a partitioned node, whose pieces have them. */
export const nodeProperties: Readonly<Record<string, Act>> = {
  device: ({ objects }, [self]) => {
    const meant = objects.meantBy(self?.value);
    const nodes = meant === undefined ? [] : meant.kind === "stage" ? meant.nodes : [meant];
    const held = nodes.flatMap(leavesOf).flatMap(({ devices }) => devices);
    const own = meant?.kind === "stage" ? [...new Set(held)].sort((a, b) => a - b) : held;
    const isCut = meant !== undefined && meant.kind !== "stage" && meant.cut !== undefined;
    return { kind: "tuple", items: isCut ? [] : own.map(integer) };
  },
};

function sideOf(
  { objects }: PolicyRun,
  self: Argument | undefined,
  side: "inputsOf" | "outputsOf",
): Value {
  const node = objects.nodeOf(self?.value);
  return { kind: "tuple", items: node === undefined ? [] : objects[side](node) };
}

function itemAt(side: Value, at: Argument | undefined): Value {
  return itemsOf(side)?.at(integerOf(at?.value) ?? 0) ?? none;
}

/**
 * `node.algorithm('dim')`: the only algorithm that partitions operators; others raise ValueError.
 */
function algorithm(
  { objects }: PolicyRun,
  [self, tag]: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  const name = textOf(tag?.value);
  const node = objects.nodeOf(self?.value);
  if (name === "dim" && node !== undefined && isUnannotated(node)) {
    const known = "nnScaler has no annotation of it: no algorithm splits it, replicate it instead";
    const code = "nnscaler/unknown-algorithm";
    return context.raise("ValueError", `"${node.name}": ${known}`, span, { code });
  }
  if (name === "dim") return { kind: "host", type: algorithmType, data: node };
  const message = `the algorithm '${name ?? ""}' is not registered: operators are split by 'dim'`;
  const place = tag?.span ?? span;
  return context.raise("ValueError", message, place, {
    code: "nnscaler/unknown-algorithm",
    fixes: [{ title: "Write 'dim'", edits: [{ ...place, text: "'dim'" }] }],
  });
}

const algorithmType: HostType = {
  name: "DimSplitEinops",
  text: () => "dim",
  attribute: ({ data }, name) =>
    name === "satisfy" ? satisfying(data as PolicyNode | undefined) : undefined,
};

/** `algorithm.satisfy(idx, dim, num)`: whether a partition would be accepted. */
function satisfying(node: PolicyNode | undefined): Value {
  return hostFunction("satisfy", (args) => {
    const { bound } = bindArguments(["idx", "dim", "num"], args);
    const [operand, count] = ["idx", "num"].map((name) => integerOf(bound.get(name)?.value));
    const dimValue = bound.get("dim")?.value;
    const dim = textOf(dimValue) === "v" ? "v" : integerOf(dimValue);
    const isGiven = operand !== undefined && dim !== undefined && count !== undefined;
    if (!isGiven || node?.piece === undefined) return { kind: "bool", value: isGiven };
    const rules = node.operator?.rules ?? [];
    return { kind: "bool", value: partitionPiece(node.piece, { operand, dim, count }, rules).ok };
  });
}

function spaceOf(node: PolicyNode | undefined): Value {
  const pairs =
    node?.piece === undefined || isUnannotated(node) ? [] : transformSpace(node.piece.bound);
  return {
    kind: "list",
    items: pairs.map((pair) => ({ kind: "tuple", items: pair.map(integer) })),
  };
}

/**
 * The (operand, dim) pairs by which an operator may be partitioned, one per identifier: those that
 * come first in every dim that contains them, and are not frozen (`OpAnno.transform_space`, release
 * 0.8).
 */
function transformSpace({ annotation }: Bound): readonly (readonly number[])[] {
  const shapes = [...annotation.inputs, ...annotation.outputs].filter(({ ignored }) => !ignored);
  const groups = shapes.flatMap(({ dims }) =>
    dims.map(({ identifiers }) => behindOnes(identifiers)),
  );
  const following = new Set(groups.flatMap((group) => group.slice(1).map(({ name }) => name)));
  const seen = new Set<string>();
  return annotation.inputs.flatMap(({ dims, ignored }, operand) =>
    dims.flatMap(({ identifiers }, dim) => {
      const [first] = ignored ? [] : behindOnes(identifiers);
      if (first === undefined || seen.has(first.name)) return [];
      seen.add(first.name);
      return first.reduction === "^" || following.has(first.name) ? [] : [[operand, dim]];
    }),
  );
}

function behindOnes<T extends { readonly name: string }>(identifiers: readonly T[]): readonly T[] {
  const at = identifiers.findIndex(({ name }) => name !== "1");
  return at < 0 ? [] : identifiers.slice(at);
}
