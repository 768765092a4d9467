import type { Diagnostic, Span } from "#core/diagnostics";
import {
  type Graph,
  type OperatorId,
  operatorTargets,
  type TensorId,
  wildcardMatcher,
} from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import { meshWord, type Trace } from "../trace/trace.ts";
import type { TracedTensor } from "../trace/traced.ts";

/** Operators and tensors that `pin(…)` excludes from planning. */
export interface Pins {
  /** Operators whose strategies stay. */
  readonly operators: ReadonlySet<OperatorId>;
  /** Tensors whose placements stay: inputs, parameters, and results that the text places. */
  readonly tensors: ReadonlySet<TensorId>;
  /**
   * Whether the mesh or one of its axes is pinned. The planner never changes a mesh, so this has no
   * effect yet.
   */
  readonly mesh: boolean;
  /** Pins as written, in text order. */
  readonly written: readonly { readonly target: string; readonly span: Span }[];
}

/** Pins of a text; a pin that matches nothing gives a warning. */
export function readPins(
  { pins }: Trace,
  { operators, tensors }: Graph,
  mesh: DeviceMesh,
  names: ReadonlyMap<TracedTensor, string>,
): { readonly pins: Pins; readonly diagnostics: readonly Diagnostic[] } {
  const kept = { operators: new Set<OperatorId>(), tensors: new Set<TensorId>() };
  const axes = new Set([meshWord, ...mesh.axes.map(({ name }) => name)]);
  const written = pins.map(({ target, span }) => {
    return { target: typeof target === "string" ? target : (names.get(target) ?? ""), span };
  });
  const targets = operatorTargets(operators);
  const diagnostics = written.flatMap(({ target, span }): Diagnostic[] => {
    const matches = wildcardMatcher(target);
    const found = tensors.filter(({ name }) => matches(name));
    for (const { id } of found) kept.tensors.add(id);
    for (const { id, name } of operators) if (matches(name)) kept.operators.add(id);
    for (const { producer } of found) if (producer !== undefined) kept.operators.add(producer);
    if (found.length > 0 || axes.has(target)) return [];
    const { operators: meant, several } = targets.meant(target);
    for (const { id } of [...meant, ...several.flat()]) kept.operators.add(id);
    return meant.length + several.length > 0 ? [] : [nothingToPin(target, span)];
  });
  const isMeshKept = written.some(({ target }) => axes.has(target));
  return { pins: { ...kept, mesh: isMeshKept, written }, diagnostics };
}

function nothingToPin(target: string, span: Span): Diagnostic {
  return {
    code: "document/nothing-to-pin",
    severity: "warning",
    message: `nothing is called "${target}", so nothing is pinned`,
    span,
  };
}
