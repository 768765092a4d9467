import type { Example } from "#app/first-example";
import type { Compiled, TensorView } from "#compile";
import type { Diagnostic } from "#core/diagnostics";
import type { Operator, Tensor, TensorId } from "#core/ir";
import type { Redistribution } from "#core/program";
import { exampleWithText } from "./address/known-examples.ts";
import type { AppState } from "./app-state.ts";
import { newestOf, shownOf } from "./compiled-slice.ts";
import { asChosen } from "./shown-states.ts";

/** The version on screen: the newest, or the last one without errors if the newest has some. */
export function shown(state: AppState): Compiled | undefined {
  return asChosen(shownOf(state.compiled), state.readers);
}

/**
 * The version for drawings: its parts keep their identities until something drawn changes, so text,
 * diagnostics and spans may be those of an earlier version.
 */
export function drawn(state: AppState): Compiled | undefined {
  return asChosen(state.drawing?.drawn, state.readers);
}

const ofText = new WeakMap<Compiled["graph"], ReadonlySet<TensorId>>();

/** Whether a tensor is in the program as written; tensors that training adds cannot be edited. */
export function isWrittenTensor({ graph }: Compiled, tensor: TensorId): boolean {
  const known = ofText.get(graph) ?? new Set(graph.tensors.map(({ id }) => id));
  ofText.set(graph, known);
  return known.has(tensor);
}

/** Whether the version on screen belongs to an older text. */
export function isStale(state: AppState): boolean {
  return state.compiled.kind === "stale" || state.compiled.kind === "failed";
}

/**
 * Whether a compilation, a gesture, a run, a search or a request to another system is under way.
 */
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

/** The diagnostics of the newest compiled text, with those of the background check of bodies. */
export function diagnosticsOf(state: AppState): readonly Diagnostic[] {
  const newest = newestOf(state.compiled);
  const { bodies } = state;
  const isOfIt = bodies?.source === newest?.source && bodies?.beside === newest?.diagnostics;
  return (isOfIt ? bodies?.all : newest?.diagnostics) ?? none;
}

/** The example whose unchanged text is on screen. */
export function exampleOf(state: AppState): Example | undefined {
  return exampleWithText(state.document.source);
}

/**
 * The title of the document: the reader's name for it, else that of its lesson, example or link.
 */
export function titleOf(state: AppState): string {
  const { isNamed, name, from, kept } = state.shownText;
  // A lesson may begin with the text of an example.
  if (isNamed || from.kind === "lesson") return name;
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

/**
 * The tensor of the inspector: the selected one, else that of the example's hint, else the first
 * redistributed one, else the last output, which is usually the purpose of the program.
 */
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
    byId(outputs.at(-1)) ??
    tensors[0]
  );
});

/** Evaluates a selector once per state, since many parts of the page read the same value. */
function oncePerState<T>(select: (state: AppState) => T): (state: AppState) => T {
  const known = new WeakMap<AppState, { readonly value: T }>();
  return (state) => {
    const found = known.get(state) ?? { value: select(state) };
    known.set(state, found);
    return found.value;
  };
}

/** The view of a tensor: its layout, its states, and the drawn one. */
export function tensorView(compiled: Compiled, tensor: TensorId): TensorView | undefined {
  return compiled.tensors.find((view) => view.tensor === tensor);
}

/**
 * The operator whose index space is shown: the selected one, else the producer of the selected
 * tensor, else its first reader.
 */
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

/** The operator that produces a tensor; `undefined` for inputs and parameters. */
export function operatorOf(compiled: Compiled, tensor: Tensor): Operator | undefined {
  const { operators } = compiled.program.graph;
  return operators.find((operator) => operator.id === tensor.producer);
}
