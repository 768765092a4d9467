import { assumedHardware, estimate, memoryOf } from "#core/cost";
import type { Diagnostic } from "#core/diagnostics";
import type { Graph, Status, Tensor } from "#core/ir";
import { type Layout, sameBlocks } from "#core/mesh";
import { type Plan, propagate } from "#core/plan";
import { lower, type SpmdProgram, type Value } from "#core/program";
import { type Document, readDocument } from "#language/document";
import type { Compiled, MeshView, TensorView } from "./compiled.ts";

/**
 * The whole line from a text to everything that follows from it (design.md §3), as one pure
 * function. It never throws for a text: what cannot be read is a diagnostic, the rest stands.
 */
export function compile(source: string): Compiled {
  return compileDocument(readDocument(source));
}

/** The part of the line behind the reading. */
export function compileDocument(document: Document): Compiled {
  const { graph, mesh, requests, source } = document;
  const { plan, diagnostics } = propagate(graph, mesh.mesh, requests);
  const program = lower(graph, plan);
  return {
    source,
    diagnostics: inTextOrder([...document.diagnostics, ...diagnostics]),
    mesh: meshView(document),
    hardware: assumedHardware,
    hardwareStatus: "assumed",
    graph,
    plan,
    program,
    tensors: tensorViews(graph, plan, program),
    cost: estimate(program, assumedHardware),
    memory: memoryOf(program),
  };
}

function meshView({ mesh }: Document): MeshView {
  return {
    mesh: mesh.mesh,
    status: mesh.status,
    ...(mesh.span !== undefined && { span: mesh.span }),
    sizeSpans: mesh.sizeSpans,
  };
}

/** Errors, warnings and notes in the order of their places; the placeless ones last. */
function inTextOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const place = (diagnostic: Diagnostic) => diagnostic.span?.from ?? Number.POSITIVE_INFINITY;
  const order = diagnostics.map((diagnostic, index) => ({ diagnostic, index }));
  order.sort((a, b) => {
    const [from, to] = [place(a.diagnostic), place(b.diagnostic)];
    return from === to ? a.index - b.index : from - to;
  });
  return order.map(({ diagnostic }) => diagnostic);
}

function tensorViews(graph: Graph, plan: Plan, program: SpmdProgram): readonly TensorView[] {
  const values = new Map(program.values.map((value) => [value.id, value]));
  return graph.tensors.flatMap((tensor): TensorView[] => {
    const id = program.made.get(tensor.id);
    const made = id === undefined ? undefined : values.get(id);
    return made === undefined ? [] : [tensorView(tensor, made, plan, program, values)];
  });
}

function tensorView(
  tensor: Tensor,
  made: Value,
  plan: Plan,
  program: SpmdProgram,
  values: ReadonlyMap<Value["id"], Value>,
): TensorView {
  const first = tensor.producer === undefined ? firstHeld(tensor, program, values) : undefined;
  const layout = first?.layout ?? made.layout;
  const moved = !sameBlocks(layout, made.layout, tensor.shape);
  const span = spanOf(tensor, plan);
  return {
    tensor: tensor.id,
    layout: moved ? layout : made.layout,
    ...(moved && { atRest: made.layout }),
    status: statusOf(tensor, plan),
    ...(span !== undefined && { span }),
  };
}

/** An input or parameter as its first consumer holds it. */
function firstHeld(
  tensor: Tensor,
  program: SpmdProgram,
  values: ReadonlyMap<Value["id"], Value>,
): { readonly layout: Layout } | undefined {
  for (const stage of program.stages) {
    for (const step of stage.steps) {
      if (step.kind !== "local") continue;
      const held = step.inputs
        .map((id) => values.get(id))
        .find((value) => value?.tensor === tensor.id);
      if (held !== undefined) return held;
    }
  }
  return undefined;
}

function statusOf(tensor: Tensor, plan: Plan): Status {
  if (tensor.producer === undefined) return plan.placements.get(tensor.id)?.status ?? "assumed";
  return plan.operators.get(tensor.producer)?.status ?? "assumed";
}

function spanOf(tensor: Tensor, plan: Plan): TensorView["span"] {
  const placed = plan.placements.get(tensor.id)?.span;
  if (placed !== undefined || tensor.producer === undefined) return placed;
  return plan.operators.get(tensor.producer)?.span;
}
