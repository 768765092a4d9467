import type { Compiled } from "#compile";
import { hasErrors } from "#core/diagnostics";
import type { CutLimits } from "#core/plan";
import type { Document } from "#language/document";
import { type LoadedTarget, textModules, type WrittenCode } from "#systems";
import type { PlannedProgram } from "./planned-words.ts";
import type { PlanWriter, WrittenPlan } from "./written-plan.ts";

/** The fastest plan found that an engine can express. */
export interface WritablePlan {
  /** The text with this plan in place of its own; absent if no text has the plan. */
  readonly source?: string;
  readonly code: Extract<WrittenCode, { ok: true }>;
  /** Differences from the text's plan, with reasons and costs, in sentences. */
  readonly otherwise: string;
}

/** A plan that an engine cannot express. */
export interface UnwrittenPlan {
  readonly document: Document;
  readonly compiled: Compiled;
  readonly target: LoadedTarget;
  /** Why it is not written, as half a sentence. */
  readonly reason: string;
  /** Writes plans of the document. */
  readonly writer: PlanWriter;
}

/** The fastest plan within limits, if there is one. */
export type SearchWithin = (limits: CutLimits) => PlannedProgram | undefined;

/** Most searches per set of limits: each module that the engine cannot express costs one. */
const mostSearches = 12;

/**
 * The fastest plan that an engine can express, among those that `search` finds: if code is refused
 * because of a module, the next search cuts nothing in it. `undefined` if none is found, or if the
 * engine does not list the cuts that it can express.
 */
export function writablePlan(asked: UnwrittenPlan, search: SearchWithin): WritablePlan | undefined {
  const { compiled, document, target, reason } = asked;
  const { graph, mesh } = document;
  const modules = textModules(document);
  let best: Found | undefined;
  for (const cuts of target.writable?.({ graph, mesh: mesh.mesh, textModules: modules }) ?? [])
    best = firstWritten(asked, modules, { cuts, search, limit: best?.seconds }) ?? best;
  if (best === undefined) return undefined;
  const analysis = asked.writer.planned(best.plan);
  const otherwise = sentences(compiled, analysis, target, reason);
  const code = target.write({ program: analysis.program, textModules: modules, otherwise });
  if (!code.ok) return undefined;
  const { text, analysis: read } = asked.writer.written(best.plan);
  const isSaid = text.ok && read.cost.seconds === analysis.cost.seconds;
  return { code, otherwise, ...(isSaid && { source: text.source }) };
}

interface Found {
  readonly plan: PlannedProgram;
  readonly seconds: number;
}

interface Way {
  readonly cuts: ReturnType<NonNullable<LoadedTarget["writable"]>>[number];
  readonly search: SearchWithin;
  /** Seconds of the best plan so far; this one must be faster. */
  readonly limit: number | undefined;
}

/** The first plan within successive limits that can be written. */
function firstWritten(
  { target, writer }: UnwrittenPlan,
  modules: ReturnType<typeof textModules>,
  { cuts: first, search, limit = Number.POSITIVE_INFINITY }: Way,
): Found | undefined {
  let cuts: Way["cuts"] | undefined = first;
  for (let count = 0; count < mostSearches && cuts !== undefined; count += 1) {
    const plan = search(cuts.limits);
    if (plan === undefined) return undefined;
    const { program, cost, diagnostics } = writer.planned(plan);
    // A plan with fewer cuts is no faster.
    if (hasErrors(diagnostics) || cost.seconds >= limit) return undefined;
    const code = target.write({ program, textModules: modules });
    if (code.ok) return { plan, seconds: cost.seconds };
    cuts = cuts.without(code.modules ?? []);
  }
  return undefined;
}

/** Differences from a plan, with reasons and costs. */
function sentences(
  planned: Compiled,
  written: WrittenPlan["analysis"],
  { name }: LoadedTarget,
  reason: string,
): string {
  const seconds = comparedText(planned.cost.seconds, written.cost.seconds, ["slower", "faster"]);
  const more = written.memory.peakBytes > planned.memory.peakBytes * (1 + sameWithin);
  const bytes = more
    ? ` and holds ${comparedText(planned.memory.peakBytes, written.memory.peakBytes, ["more", "less"])} on a device`
    : "";
  return `Not the plan of the text is written, but the fastest found that ${name} can say: it is ${seconds}${bytes}. ${changesText(planned, written)} The plan has no words there: ${reason}.`;
}

/** Relative difference below which two figures count as equal. */
const sameWithin = 5e-4;

/** The difference between two figures: `2.1 % slower`. */
function comparedText(
  before: number,
  after: number,
  [more, less]: readonly [string, string],
): string {
  const part = after / before - 1;
  if (Math.abs(part) < sameWithin) return `as ${more === "slower" ? "fast" : "much"}`;
  const percent = Math.abs(part) * 100;
  const said = percent < 10 ? percent.toPrecision(2) : Math.round(percent);
  return `${said} % ${part > 0 ? more : less}`;
}

/** Operators with other cuts, those that read parameters first, and the cuts of one of them. */
function changesText(
  { graph, plan: before }: Compiled,
  { plan: after }: WrittenPlan["analysis"],
): string {
  const parameters = new Set(
    graph.tensors.flatMap(({ id, role }) => (role === "parameter" ? [id] : [])),
  );
  const changed = graph.operators.flatMap(({ id, name, inputs }) => {
    const [from, to] = [cutsOf(before, id), cutsOf(after, id)];
    const isLayer = inputs.some(({ tensor }) => parameters.has(tensor));
    return from === to ? [] : [{ name: name.replace(/\[\d+\]/gu, "[*]"), from, to, isLayer }];
  });
  const sorted = [...changed.filter((each) => each.isLayer), ...changed];
  const names = [...new Set(sorted.map(({ name }) => name))];
  const [first] = sorted;
  if (first === undefined) return "Only parameters rest otherwise.";
  const listed =
    names.length > 4
      ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} others`
      : names.join(", ");
  return `${listed} ${names.length === 1 ? "is" : "are"} cut otherwise: ${first.name} by ${first.to}, not by ${first.from}.`;
}

function cutsOf({ operators }: Compiled["plan"], id: Compiled["graph"]["operators"][number]["id"]) {
  const cuts = operators.get(id)?.strategy.cuts ?? {};
  const said = Object.entries(cuts).flatMap(([name, parts]) => {
    const axes = parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : []));
    return axes.length === 0 ? [] : [`${name} over ${axes.join(", ")}`];
  });
  return said.length === 0 ? "nothing" : said.sort().join(" and ");
}
