import type { Example } from "#app/first-example";
import type { Compiled, TensorView } from "#compile";
import type { Diagnostic } from "#core/diagnostics";
import type { Operator, Tensor, TensorId } from "#core/ir";
import type { Redistribution } from "#core/program";
import type { AppState } from "./app-state.ts";
import { newestOf, shownOf } from "./compiled-slice.ts";
import { exampleWithText } from "./known-examples.ts";
import { asChosen } from "./shown-states.ts";

/** The version on screen. */
export function shown(state: AppState): Compiled | undefined {
  return asChosen(shownOf(state.compiled), state.readers);
}

/**
 * The version on screen as drawings know it: the same object, part by part, until something that
 * can be drawn changes. Its text, diagnostics and places may be those of an earlier version.
 */
export function drawn(state: AppState): Compiled | undefined {
  return asChosen(state.drawing?.drawn, state.readers);
}

const ofText = new WeakMap<Compiled["graph"], ReadonlySet<TensorId>>();

/** Whether the text itself has a tensor: what comes with training cannot be changed by hand. */
export function isOfText({ graph }: Compiled, tensor: TensorId): boolean {
  const known = ofText.get(graph) ?? new Set(graph.tensors.map(({ id }) => id));
  ofText.set(graph, known);
  return known.has(tensor);
}

/** Whether the picture belongs to an older text. */
export function isStale(state: AppState): boolean {
  return state.compiled.kind === "stale" || state.compiled.kind === "failed";
}

export function isWorking(state: AppState): boolean {
  const isAsking = state.upstreamRun.kind === "asking";
  const isPlanning = state.planning.kind === "searching";
  return state.pending > 0 || state.run.kind === "running" || isAsking || isPlanning;
}

/** Whether the step view shows the program as its own system would run it. */
export function showsUpstreamRun(state: AppState): boolean {
  return state.showsUpstream && shown(state)?.system !== undefined;
}

const none: readonly Diagnostic[] = [];

/** What is wrong with the newest text that was compiled. */
export function diagnosticsOf(state: AppState): readonly Diagnostic[] {
  const newest = newestOf(state.compiled);
  const { bodies } = state;
  const isOfIt = bodies?.source === newest?.source && bodies?.beside === newest?.diagnostics;
  return (isOfIt ? bodies?.all : newest?.diagnostics) ?? none;
}

/** The example that the text is, unchanged. */
export function exampleOf(state: AppState): Example | undefined {
  return exampleWithText(state.document.source);
}

/** What the document is called. */
export function titleOf(state: AppState): string {
  const { isNamed, name, from, kept } = state.shownText;
  if (isNamed) return name;
  const example = exampleOf(state);
  if (example !== undefined) return example.title;
  if (kept !== "no" || from.kind !== "link") return name;
  return from.name === undefined ? "Shared plan (unsaved)" : `${from.name} (unsaved)`;
}

/** The redistribution of the step view: the one selected, else the first. */
export const selectedRedistribution = oncePerState((state): Redistribution | undefined => {
  const all = shown(state)?.program.redistributions ?? [];
  return all.find(({ index }) => index === state.selection.redistribution) ?? all[0];
});

/** The tensor of the inspector: the one selected, else the one of most interest. */
export const selectedTensor = oncePerState((state): Tensor | undefined => {
  const compiled = shown(state);
  if (compiled === undefined) return undefined;
  const { tensors, outputs } = compiled.graph;
  const all = compiled.program.graph.tensors;
  const byId = (id: TensorId | undefined) => all.find((tensor) => tensor.id === id);
  const hint = exampleOf(state)?.hint?.tensor;
  return (
    byId(state.selection.tensor) ??
    tensors.find((tensor) => tensor.name === hint) ??
    byId(compiled.program.redistributions[0]?.tensor) ??
    byId(outputs[0]) ??
    tensors[0]
  );
});

/** Many parts of the page ask the same of every state: it is looked up for the first of them. */
function oncePerState<T>(select: (state: AppState) => T): (state: AppState) => T {
  const known = new WeakMap<AppState, { readonly value: T }>();
  return (state) => {
    const found = known.get(state) ?? { value: select(state) };
    known.set(state, found);
    return found.value;
  };
}

/** The tensor with its layout. */
export function tensorView(compiled: Compiled, tensor: TensorId): TensorView | undefined {
  return compiled.tensors.find((view) => view.tensor === tensor);
}

/** The operator whose index space is of interest: the one selected, else that of the tensor. */
export function projectedOperator(state: AppState): Operator | undefined {
  const operators = shown(state)?.program.graph.operators ?? [];
  const tensor = selectedTensor(state);
  const reads = ({ inputs }: Operator) => inputs.some((operand) => operand.tensor === tensor?.id);
  return (
    operators.find(({ id }) => id === state.selection.operator) ??
    operators.find(({ id }) => id === tensor?.producer) ??
    operators.find(reads) ??
    operators[0]
  );
}

export function operatorOf(compiled: Compiled, tensor: Tensor): Operator | undefined {
  const { operators } = compiled.program.graph;
  return operators.find((operator) => operator.id === tensor.producer);
}
