import type { Diagnostic, Span } from "#core/diagnostics";
import {
  type Operand,
  type Operator,
  type OperatorId,
  operatorTargets,
  type Tensor,
  type TensorId,
  tensorId,
  tensorsById,
  wildcardMatcher,
} from "#core/ir";
import type { DeviceMesh, Layout, Part } from "#core/mesh";
import type { OperatorPlan, Placement, Requests, Strategy } from "#core/plan";
import { fieldOf } from "#core/records";
import { writing } from "../fix.ts";
import { axesText } from "../trace/axes-text.ts";
import type { StrategyCall, Trace } from "../trace/trace.ts";
import type { TracedTensor } from "../trace/traced.ts";
import type { WrittenAxes, WrittenLayout } from "../trace/written-layouts.ts";
import { arrange } from "./arrangement.ts";
import type { BuiltGraph } from "./build-graph.ts";
import { meshFor, withRepeatedAxis } from "./document-mesh.ts";
import { axesOfMesh, layoutFrom, offering } from "./layout-from.ts";
import { noSuchTensor, reshardsOf } from "./reshard-requests.ts";

/** Requests of a document, and the `strategy(…)` call that each operator follows. */
export interface ReadRequests {
  readonly requests: Requests;
  readonly strategyCalls: ReadonlyMap<OperatorId, StrategyCall>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Requests of the text: those in systems' notations, overridden by `strategy` and `place`. */
export function readRequests(
  trace: Trace,
  built: BuiltGraph,
  mesh: DeviceMesh,
  names: ReadonlyMap<TracedTensor, string>,
  bySystems: ReadonlyMap<OperatorId, OperatorPlan>,
): ReadRequests {
  const diagnostics: Diagnostic[] = [];
  const operators = new Map(bySystems);
  const tensors = tensorsById(built.graph);
  const chosen = selectTargets(trace.strategies, built.graph.operators, (target) =>
    nameIn(target, names),
  );
  diagnostics.push(...chosen.diagnostics);
  const strategyCalls = new Map<OperatorId, StrategyCall>();
  const isUnknown = unknownOperators(tensors);
  for (const [operator, call] of chosen.calls) {
    if (isUnknown(operator)) continue;
    const strategy = strategyFrom(operator, call, tensors, mesh, diagnostics);
    operators.set(operator.id, { strategy, mesh, status: "set", span: call.span });
    strategyCalls.set(operator.id, call);
  }
  const placements = new Map([
    ...placedPieces(trace, built, mesh, names),
    ...placementsOf(trace, built, mesh, names, diagnostics),
  ]);
  const reshards =
    trace.reshards.length === 0 ? [] : reshardsOf(trace, built, mesh, names, diagnostics);
  const requests = { operators, placements, ...(reshards.length > 0 && { reshards }) };
  return { requests, strategyCalls, diagnostics };
}

/** Operators that read or make a tensor of unknown shape; they have no dims to split. */
function unknownOperators(tensors: ReadonlyMap<TensorId, Tensor>): (operator: Operator) => boolean {
  const isUnknown = ({ tensor }: Operand) => tensors.get(tensor)?.isUnknown === true;
  return ({ inputs, outputs }) => inputs.some(isUnknown) || outputs.some(isUnknown);
}

function nameIn(target: TracedTensor | string, names: ReadonlyMap<TracedTensor, string>): string {
  if (typeof target === "string") return target;
  // A tensor replaced by a stack of equal ones keeps its name in the program.
  return names.get(target) ?? target.name?.text ?? "";
}

function strategyFrom(
  operator: Operator,
  call: StrategyCall,
  tensors: ReadonlyMap<TensorId, Tensor>,
  mesh: DeviceMesh,
  diagnostics: Diagnostic[],
): Strategy {
  const cuts: Record<string, readonly Part[]> = {};
  for (const cut of call.cuts) {
    const identifier = identifierOf(operator, cut.key, tensors);
    if (identifier === undefined) {
      diagnostics.push(unknownIdentifier(operator, cut.key, cut.keySpan));
      continue;
    }
    const parts = axesOfMesh(cut.written, mesh, diagnostics);
    const earlier = fieldOf(cuts, identifier);
    cuts[identifier] = earlier === undefined ? parts : [...earlier, ...parts];
  }
  const carry = call.carry === undefined ? [] : axesOfMesh(call.carry, mesh, diagnostics);
  return { cuts, carry };
}

/**
 * Identifier for a key of `strategy`: one of the operator's, or a dim name inherited by its
 * operands if unambiguous; else `undefined`.
 */
function identifierOf(
  operator: Operator,
  key: string,
  tensors: ReadonlyMap<TensorId, Tensor>,
): string | undefined {
  if (operator.axes.some((axis) => axis.name === key)) return key;
  const inherited = operator.inputs.flatMap((operand) => {
    const tensor = tensors.get(operand.tensor);
    return operand.dims.flatMap((dim, index) =>
      tensor?.dimNames[index] === key && dim.splittable !== undefined ? [dim.splittable] : [],
    );
  });
  const distinct = [...new Set(inherited)];
  return distinct.length === 1 ? distinct[0] : undefined;
}

function unknownIdentifier(operator: Operator, key: string, span: Span): Diagnostic {
  const names = operator.axes.map((axis) => axis.name);
  return {
    code: "plan/unknown-identifier",
    severity: "error",
    message: `"${operator.name}" has no identifier "${key}"; its annotation has ${names.map((name) => `"${name}"`).join(", ")}`,
    span,
    // Fixes only for a bare keyword: the key of a dict would need quotes.
    ...(span.to - span.from === key.length && offering(names, span)),
  };
}

function placementsOf(
  trace: Trace,
  built: BuiltGraph,
  mesh: DeviceMesh,
  names: ReadonlyMap<TracedTensor, string>,
  diagnostics: Diagnostic[],
): ReadonlyMap<TensorId, Placement> {
  const placements = new Map<TensorId, Placement>();
  const exact = new Set<TensorId>();
  for (const call of trace.places) {
    const target = nameIn(call.target, names);
    const matches = wildcardMatcher(target);
    const found = built.graph.tensors.filter(({ name }) => matches(name));
    if (found.length === 0) diagnostics.push(noSuchTensor(target, call.span, built.graph.tensors));
    for (const tensor of found) {
      const isExact = tensor.name === target;
      if (tensor.isUnknown || (!isExact && exact.has(tensor.id))) continue;
      const on = call.spec === undefined ? mesh : meshFor(call.spec, mesh);
      const virtual = call.spec?.isInterleaved === true ? call.spec.deviceMatrix.at(-1) : undefined;
      const layout = layoutFrom(tensor, call.layout, on, diagnostics, virtual);
      if (layout === undefined) continue;
      reportUneven(layout, tensor, call.layout, diagnostics);
      if (isExact) exact.add(tensor.id);
      placements.set(tensorId(tensor.name), { layout, status: "set", span: call.span });
    }
  }
  return placements;
}

/**
 * Placements of inputs by a functional `shard` with tuples: each number of pieces becomes an axis
 * of a matching arrangement.
 */
function placedPieces(
  trace: Trace,
  built: BuiltGraph,
  mesh: DeviceMesh,
  names: ReadonlyMap<TracedTensor, string>,
): ReadonlyMap<TensorId, Placement> {
  const placements = trace.placedPieces.flatMap(({ target, pieces, span }) => {
    const name = nameIn(target, names);
    const tensor = built.graph.tensors.find((candidate) => candidate.name === name);
    if (tensor === undefined || tensor.shape.length !== pieces.length) return [];
    const arranged = arrange(mesh, withRepeatedAxis(pieces, mesh.devices.length));
    const dims = pieces.map(
      (_, dim) => ({ parts: arranged.parts[dim] ?? [], chunks: "flat" }) as const,
    );
    const layout: Layout = { mesh: arranged.mesh, dims, partials: [] };
    return [[tensor.id, { layout, status: "set", span }] as const];
  });
  return new Map(placements);
}

/** Reports a placed dim that its pieces do not divide evenly. */
function reportUneven(
  layout: Layout,
  tensor: Tensor,
  written: WrittenLayout,
  diagnostics: Diagnostic[],
): void {
  for (const [dim, { parts }] of layout.dims.entries()) {
    const size = tensor.shape[dim] ?? 1;
    const pieces = parts.reduce(
      (product, part) => product * (part.kind === "axis" ? part.size : 1),
      1,
    );
    if (size % pieces === 0) continue;
    const name = tensor.dimNames[dim] ?? `dim ${dim}`;
    diagnostics.push({
      code: "document/uneven-layout",
      severity: "warning",
      message: `"${name}" of "${tensor.name}" has ${size} elements, which ${pieces} pieces do not divide: the last ones are shorter or empty`,
      span: written.span,
      upstream: "ValueError",
      ...evenly(written.dims[dim], parts, size, name),
    });
  }
}

/** Fix that splits the dim over as many of its leading axes as divide its size. */
function evenly(
  written: WrittenAxes | undefined,
  parts: readonly Part[],
  size: number,
  name: string,
): Pick<Diagnostic, "fixes"> {
  if (written === undefined || written.axes.length !== parts.length) return {};
  let pieces = 1;
  const kept = written.axes.filter((_, index) => {
    const part = parts[index];
    const next = pieces * (part?.kind === "axis" ? part.size : 1);
    if (size % next !== 0) return false;
    pieces = next;
    return true;
  });
  const names = kept.map((axis) => axis.name);
  const title =
    names.length === 0 ? `Leave "${name}" whole` : `Split "${name}" over ${names.join(", ")} only`;
  const text = names.length === 0 ? '"None"' : axesText(names);
  return { fixes: [writing(written.span, text, title)] };
}

/**
 * The `strategy(…)` call that each operator follows: an exact target beats a wildcard, a later call
 * an earlier one. A target without an operator is an error, and so is a module with several
 * operators.
 */
function selectTargets(
  calls: readonly StrategyCall[],
  operators: readonly Operator[],
  nameOf: (target: TracedTensor | string) => string,
): {
  readonly calls: ReadonlyMap<Operator, StrategyCall>;
  readonly diagnostics: readonly Diagnostic[];
} {
  const chosen = new Map<Operator, StrategyCall>();
  const diagnostics: Diagnostic[] = [];
  const exact = new Set<Operator>();
  const targets = operatorTargets(operators);
  for (const call of calls) {
    const target = nameOf(call.target);
    const found = targets.meant(target);
    const [several] = found.several;
    if (several !== undefined)
      diagnostics.push(severalOperators(target, several.map(targets.targetOf), call.span));
    else if (found.operators.length === 0) diagnostics.push(noOperator(target, call));
    for (const operator of found.operators) {
      if (!found.isExact && exact.has(operator)) continue;
      if (found.isExact) exact.add(operator);
      chosen.set(operator, call);
    }
  }
  return { calls: chosen, diagnostics };
}

/** Most operators of a module that a message lists. */
const mostCandidates = 6;

/** Error for a target that is a module with several operators. */
function severalOperators(target: string, candidates: readonly string[], span: Span): Diagnostic {
  const named = candidates.slice(0, mostCandidates).map((each) => `"${each}"`);
  const more = candidates.length - named.length;
  const list = `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return {
    code: "document/several-operators",
    severity: "error",
    message: `"${target}" is a module of ${candidates.length} operators; name one of them: ${list}`,
    span,
  };
}

function noOperator(target: string, call: StrategyCall): Diagnostic {
  const made =
    typeof call.target === "string"
      ? `no operator is called "${target}"`
      : `"${target}" is not made by an operator; say how it lies with place(${target}, layout(…))`;
  return { code: "document/no-such-operator", severity: "error", message: made, span: call.span };
}
