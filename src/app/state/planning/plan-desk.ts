import type { NoPlan, PlanAnswer, Planned, Planner, PlanProgress, Reply } from "#app/engine";
import { createPartsDesk } from "./parts-desk.ts";
import { keptLines, plannedIn, withWritten } from "./planned-lines.ts";
import { planLabel, plannedSentence } from "./planned-words.ts";
import {
  cancelled,
  type DeskStore,
  type FoundPlan,
  type PlanDesk,
  type PlanningStatus,
} from "./planning.ts";
import { createSurveyDesk } from "./survey-desk.ts";
import { createWaysDesk } from "./ways-desk.ts";

const another = "The text is another one now.";

/** The actions of the planner's panel; each search ends with a sentence for screen readers. */
export function createPlanDesk(planner: Planner, store: DeskStore): PlanDesk {
  const { set, get } = store;
  const surveys = createSurveyDesk(planner.survey, store);
  const ways = createWaysDesk(planner.ways, store);
  const parts = createPartsDesk(planner.parts, store);
  return {
    ...surveys,
    ...ways,
    ...parts,
    plan: () => plan(planner, store),
    cancel: () => {
      planner.plan.stop();
      const { planning } = get();
      const best = planning.kind === "searching" ? planning.best : undefined;
      if (best === undefined) set({ planning: { kind: "idle", note: cancelled } });
      else set({ planning: { ...best, kind: "done", isStopped: true } });
      get().say({
        kind: "said",
        text: best === undefined ? cancelled : sentenceOf(get().planning),
      });
    },
    tryValues: (whatIf) => {
      set({ whatIf });
      return get().startPlan();
    },
    apply: (found, label) => {
      planner.plan.stop();
      apply(store, found, label);
    },
    forget: () => {
      const { planning, document } = get();
      followLines(store);
      surveys.forget();
      ways.forget();
      parts.forget();
      const found = foundIn(planning);
      // A search for the newest text continues when that text has been compiled.
      if (planning.kind === "searching" && planning.of === document.source) return;
      if (planning.kind === "idle" || found.some((each) => holdsOf(each, document.source))) return;
      planner.plan.stop();
      set({ planning: { kind: "idle", note: another }, whatIf: {} });
    },
  };
}

/**
 * Updates the lines and ids that are still as a plan wrote them; if the text is not compiled yet,
 * the ids stay.
 */
function followLines({ set, get }: DeskStore): void {
  const { document, compiled, plannedLines: known, plannedIds: ids } = get();
  if (known.size === 0 && ids.size === 0) return;
  const plannedLines = keptLines(known, document);
  const newest = compiled.kind === "ready" ? compiled.shown : undefined;
  const plannedIds =
    newest === undefined || newest.source !== document.source
      ? ids
      : plannedIn(plannedLines, newest);
  const isSame = ids.size === plannedIds.size && [...ids].every((id) => plannedIds.has(id));
  if (plannedLines !== known || !isSame)
    set({ plannedLines, plannedIds: isSame ? ids : plannedIds });
}

/**
 * Searches a plan of the present text; news and answer refer to the what-if values at the start.
 */
async function plan(planner: Planner, store: DeskStore): Promise<void> {
  const { set, get } = store;
  const { whatIf } = get();
  const { source } = get().document;
  const limit = store.limit();
  const asked = { source, whatIf, ...(limit !== undefined && { memoryLimit: limit }) };
  const last = lastIn(get().planning);
  const beside = last?.of === source ? { beside: last.planned } : {};
  const foundOf = (planned: Planned): FoundPlan => ({ of: source, planned, whatIf, ...beside });
  const shortOf = (answer: NoPlan) => ({ ...answer, limit, ...(last !== undefined && { last }) });
  const reply = await planner.plan.begin(asked, (news) => {
    const { planning } = get();
    if (planning.kind !== "searching") return;
    if (news.kind === "short") tell(store, { ...shortOf(news.answer), isExplaining: true });
    else set({ planning: after(planning, news, foundOf) });
  });
  const told = toldIn(get().planning);
  if (reply.kind === "superseded") {
    if (told !== undefined) set({ planning: told });
    return;
  }
  const planning = statusOf(reply, foundOf, shortOf);
  if (told === undefined) tell(store, planning);
  else set({ planning });
}

/**
 * The infeasible status that was announced while its explanation was running; `undefined` if there
 * is none.
 */
function toldIn(planning: PlanningStatus): PlanningStatus | undefined {
  if (planning.kind !== "infeasible" || planning.isExplaining !== true) return undefined;
  const { isExplaining: _, ...told } = planning;
  return told;
}

/** Shows how a search ended, and announces it. */
function tell({ set, get }: DeskStore, planning: PlanningStatus): void {
  set({ planning });
  get().say({ kind: "said", text: sentenceOf(planning) });
}

type Searching = Extract<PlanningStatus, { kind: "searching" }>;

function after(
  planning: Searching,
  news: Exclude<PlanProgress, { kind: "short" }>,
  foundOf: (planned: Planned) => FoundPlan,
): Searching {
  return news.kind === "stage"
    ? { ...planning, stage: news.stage }
    : { ...planning, best: foundOf(news.planned) };
}

function apply({ set, get }: DeskStore, found: FoundPlan, label?: string): void {
  const { planned } = found;
  const { document, commit, plannedLines, whatIf, parts } = get();
  if (planned.source === undefined || planned.source === document.source) return;
  // Values now written in the text are no longer what-if values; values the text cannot express
  // stay.
  const { bandwidth, free } = whatIf;
  const isUnsaid = planned.asNamed !== undefined && bandwidth !== undefined;
  const rest = { ...(isUnsaid && { bandwidth }), ...(free && { free }) };
  set({
    planning: { ...found, kind: "done" },
    plannedLines: withWritten(plannedLines, document.source, planned.source),
    whatIf: rest,
  });
  // With parts left out, the label has the time of the remaining plan, not of the whole one.
  const inPart = parts?.left.size && parts.mixed?.source === planned.source && parts.mixed;
  commit(planned.source, label ?? (inPart ? planLabel(inPart, true) : planLabel(planned)));
  get().fitBoard(planned.source);
}

function foundIn(planning: PlanningStatus): readonly FoundPlan[] {
  return planning.kind === "done" ? [planning] : [];
}

function holdsOf({ of, planned, whole }: FoundPlan, source: string): boolean {
  return source === of || source === planned.source || source === whole;
}

function lastIn(planning: PlanningStatus): FoundPlan | undefined {
  return planning.kind === "searching" ? planning.last : undefined;
}

type Ended = Exclude<Reply<PlanAnswer>, { kind: "superseded" }>;

function statusOf(
  reply: Ended,
  foundOf: (planned: Planned) => FoundPlan,
  shortOf: (answer: NoPlan) => PlanningStatus,
): PlanningStatus {
  if (reply.kind === "failed") {
    return { kind: "idle", note: `The planner failed: ${reply.message}` };
  }
  const { value } = reply;
  switch (value.kind) {
    case "planned":
      return { kind: "done", ...foundOf(value) };
    case "infeasible":
      return shortOf(value);
    case "refused":
      return { kind: "idle", note: value.message };
  }
}

function sentenceOf(planning: PlanningStatus): string {
  switch (planning.kind) {
    case "idle":
      return planning.note ?? "";
    case "searching":
      return "Looking for the fastest plan.";
    case "done":
      return plannedSentence(planning.planned, planning.isStopped);
    case "infeasible":
      return `No plan: ${planning.message}.`;
  }
}
