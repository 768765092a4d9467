import type { Compiled } from "#compile";
import { reshardingSystems } from "#compile";
import { applyEdits, type TextEdit } from "#core/diagnostics";
import { axisNames, type Layout, sameBlocks } from "#core/mesh";
import type { Redistribution } from "#core/program";
import { communicationCount, planReshard } from "#core/reshard";
import { patternOf, reshardEdits } from "#language/document/edit";
import { type Edge, edgesIn } from "#systems/system";
import type { GestureOutcome, StepsGesture } from "./gesture-kinds.ts";
import type { Version } from "./version.ts";

/**
 * Chooses the steps of a redistribution: the smallest edit of its own `reshard(…)` line, or a new
 * line, after which the program takes these steps. The default needs no line, unless another line
 * also matches the tensor.
 */
export function chooseStepsIn(version: Version, gesture: StepsGesture): GestureOutcome {
  const { redistribution, steps, alike = [] } = gesture;
  const places = [redistribution, ...alike];
  const names = places.map((place) => changeAt(version, place)?.tensor.name);
  const known = names.filter((name) => name !== undefined);
  if (known.length < places.length) return refused(gone);
  const pattern = alike.length === 0 ? known[0] : patternOf(known);
  const together = pattern && chosenTogether(version, pattern, places, steps);
  if (together !== undefined && (typeof together === "string" || alike.length === 0)) {
    return outcomeOf(together, known, steps);
  }
  let now = version;
  for (const [at, place] of places.entries()) {
    const done = chosenTogether(now, known[at] ?? "", [place], steps);
    if (typeof done !== "string") return outcomeOf(done, known, steps);
    now = version.reread(done);
  }
  return outcomeOf(now.document.source, known, steps);
}

const gone = "that redistribution is no longer part of the program";

function outcomeOf(
  done: string | Refusal,
  names: readonly string[],
  steps: StepsGesture["steps"],
): GestureOutcome {
  if (typeof done !== "string") return refused(done.reason);
  const [first = ""] = names;
  const name = names.length === 1 ? first : `${patternOf(names) ?? first} ×${names.length}`;
  return { ok: true, label: `Redistribute ${name} ${howText(steps)}`, source: done };
}

interface Refusal {
  readonly reason: string;
}

function refused(reason: string): GestureOutcome {
  return { ok: false, reason };
}

/** A redistribution of the program, with its tensor and both layouts. */
function changeAt({ compiled }: Version, redistribution: number) {
  const found = compiled.program.redistributions.find(({ index }) => index === redistribution);
  const tensor = compiled.program.graph.tensors.find(({ id }) => id === found?.tensor);
  const edge = found && edgesIn(compiled.program)(found);
  return found && tensor && edge && { found, tensor, edge };
}

/**
 * The text with one `reshard(…)` line for a target after which the redistributions take the steps,
 * or the reason why there is none.
 */
function chosenTogether(
  version: Version,
  target: string,
  places: readonly number[],
  steps: StepsGesture["steps"],
): string | Refusal {
  const { document, compiled } = version;
  const [first, ...others] = places.map((place) => changeAt(version, place));
  if (first === undefined || others.includes(undefined)) return { reason: gone };
  const { found, tensor, edge } = first;
  const all = [first, ...others].flatMap((each) => each?.found ?? []);
  const own = defaultSteps(edge);
  const isWanted = (after: Redistribution) => follows(after, steps, own);
  if (all.every(isWanted)) return document.source;
  const siblings = targetsOf(compiled, found);
  const to = siblings.length < 2 ? undefined : wordsOf(compiled, edge.to);
  if (siblings.length > 1 && to === undefined) {
    return { reason: `the layout that ${tensor.name} is sent to has no words in the text` };
  }
  const about = { name: target, current: requestOf(compiled, found)?.span, to };
  const edits: readonly (readonly TextEdit[])[] =
    steps === "default"
      ? [reshardEdits(document, about, undefined), reshardEdits(document, about, own)]
      : [reshardEdits(document, about, steps)];
  for (const list of edits) {
    const source = applyEdits(document.source, list);
    const isReached = all.every((each) => reaches(version, source, each, isWanted));
    if (isReached && (others.length === 0 || keepsRest(version, source, places))) return source;
  }
  return { reason: `no edit of the text alone makes ${tensor.name} take these steps` };
}

/** Number of communicating steps in the default plan. */
function defaultSteps({ from, to, shape, bytesPerElement }: Edge): number {
  return communicationCount(planReshard(from, to, shape, { bytesPerElement }).steps);
}

function follows({ chosen }: Redistribution, steps: StepsGesture["steps"], own: number): boolean {
  const followed = chosen?.declined === undefined ? chosen?.steps : undefined;
  return steps === "default" ? followed === undefined || followed === own : followed === steps;
}

function howText(steps: StepsGesture["steps"]): string {
  if (steps === "default") return "by the default";
  if (typeof steps === "string") {
    const title = reshardingSystems().find(({ name }) => name === steps)?.title;
    return `as ${title ?? steps} does`;
  }
  return `in ${steps === 1 ? "1 step" : `${steps} steps`}`;
}

/** Distinct layouts to which the tensor is redistributed. */
function targetsOf({ program }: Compiled, { tensor }: Redistribution): readonly Layout[] {
  const layouts = new Map(program.values.map(({ id, layout }) => [id, layout]));
  const shape = program.graph.tensors.find(({ id }) => id === tensor)?.shape ?? [];
  const targets: Layout[] = [];
  for (const each of program.redistributions) {
    const layout = each.tensor === tensor ? layouts.get(each.output) : undefined;
    if (layout === undefined || targets.some((to) => sameBlocks(to, layout, shape))) continue;
    targets.push(layout);
  }
  return targets;
}

/**
 * A layout as axis names per dim; `undefined` unless it uses whole mesh axes and has no partial
 * sums.
 */
function wordsOf(
  { mesh }: Compiled,
  { dims, partials }: Layout,
): readonly (readonly string[])[] | undefined {
  const lists = dims.flatMap(({ parts, sizes }) => {
    const names = sizes === undefined ? axisNames(parts, mesh.mesh) : undefined;
    return names === undefined ? [] : [names];
  });
  return lists.length < dims.length || partials.length > 0 ? undefined : lists;
}

function requestOf({ plan }: Compiled, { chosen }: Redistribution) {
  return chosen === undefined ? undefined : plan.reshards?.[chosen.request];
}

/** Whether a text gives the redistribution the wanted steps, without a new error. */
function reaches(
  { compiled: before, reread }: Version,
  source: string,
  { index, tensor }: Redistribution,
  isWanted: (after: Redistribution) => boolean,
): boolean {
  const known = new Set(before.diagnostics.map(({ message }) => message));
  const { program, diagnostics } = reread(source).compiled;
  if (diagnostics.some(({ severity, message }) => severity === "error" && !known.has(message))) {
    return false;
  }
  const after = program.redistributions.find((each) => each.index === index);
  return after?.tensor === tensor && isWanted(after);
}

/** Whether all other redistributions keep their steps. */
function keepsRest(
  { compiled: before, reread }: Version,
  source: string,
  places: readonly number[],
): boolean {
  const changed = new Set(places);
  const { redistributions } = reread(source).compiled.program;
  return before.program.redistributions.every(
    ({ index, chosen }, at) =>
      changed.has(index) || redistributions[at]?.chosen?.steps === chosen?.steps,
  );
}
