import { applyEdits, type TextEdit } from "#core/diagnostics";
import { type Layout, sameBlocks } from "#core/mesh";
import type { Redistribution } from "#core/program";
import { planReshard, sentSteps } from "#core/reshard";
import { reshardEdits } from "#language/document";
import { type Edge, edgesIn } from "#systems/system";
import { axisNames } from "./alternative-cuts.ts";
import type { Compiled } from "./compiled.ts";
import type { GestureOutcome, StepsGesture } from "./gesture-kinds.ts";
import { reshardingSystems } from "./system-steps.ts";
import type { Version } from "./version.ts";

/**
 * The text after a choice of the steps of one redistribution: the smallest edit of its own
 * `reshard(…)` line, or a new one, after which the program takes these steps. The default needs no
 * line, unless another one speaks of the tensor as well.
 */
export function chooseStepsIn(
  version: Version,
  { redistribution, steps }: StepsGesture,
): GestureOutcome {
  const { document, compiled } = version;
  const found = compiled.program.redistributions.find(({ index }) => index === redistribution);
  const tensor = compiled.program.graph.tensors.find(({ id }) => id === found?.tensor);
  const edge = found && edgesIn(compiled.program)(found);
  if (found === undefined || tensor === undefined || edge === undefined) {
    return { ok: false, reason: "that redistribution is no longer part of the program" };
  }
  const own = defaultSteps(edge);
  const isWanted = (after: Redistribution) => follows(after, steps, own);
  const label = `Redistribute ${tensor.name} ${howText(steps)}`;
  if (isWanted(found)) return { ok: true, label, source: document.source };
  const siblings = targetsOf(compiled, found);
  const to = siblings.length < 2 ? undefined : wordsOf(compiled, edge.to);
  if (siblings.length > 1 && to === undefined) {
    return {
      ok: false,
      reason: `the layout that ${tensor.name} is sent to has no words in the text`,
    };
  }
  const about = { name: tensor.name, current: requestOf(compiled, found)?.span, to };
  const edits: readonly (readonly TextEdit[])[] =
    steps === "default"
      ? [reshardEdits(document, about, undefined), reshardEdits(document, about, own)]
      : [reshardEdits(document, about, steps)];
  for (const list of edits) {
    const source = applyEdits(document.source, list);
    if (reaches(version, source, found, isWanted)) return { ok: true, label, source };
  }
  const reason = `no edit of the text alone makes ${tensor.name} take these steps`;
  return { ok: false, reason };
}

/** How many steps of the default plan communicate. */
function defaultSteps({ from, to, shape, bytesPerElement }: Edge): number {
  return sentSteps(planReshard(from, to, shape, { bytesPerElement }).steps);
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

/** The layouts to which the tensor is redistributed, each once. */
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

/** A layout as the text can say it: whole axes of the document's mesh, and no sums. */
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

/** Whether a text gives the redistribution what is wanted, and brings no new error. */
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
