import { capitalized } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import { planQuestion, withPin } from "#edit";
import type { Document } from "#language/document";
import {
  alternativesOf,
  comparisonOf,
  optimize,
  type PlanAlternative,
  type PlannerMemory,
  type PlanRequest,
  strategyText,
  unavailableCuts,
} from "#planner";
import { type PlanWork, planOf, requestOf, takenBy } from "./plan-of.ts";
import type {
  PlanAnswer,
  SplitOption,
  SplitOptionsProgress,
  SplitOptionsResult,
  WaysAsked,
} from "./plan-protocol.ts";
import { freesPlaces, openText, tryValues, wholeAnswer } from "./plan-search.ts";

/**
 * Plans the text once for each strategy of one operator; other pins stay, everything else is free.
 * Strategies that cost least with the rest of the plan unchanged come first.
 */
export function weighWays(
  asked: WaysAsked,
  hear: (news: SplitOptionsProgress) => void,
  memory?: PlannerMemory,
): SplitOptionsResult {
  const opened = openText(asked.source);
  if (typeof opened === "string") return { kind: "refused", message: opened };
  const tried = tryValues(opened, asked.whatIf ?? {});
  if (typeof tried === "string") return { kind: "refused", message: tried };
  const { document, named } = tried;
  const operator = document.graph.operators.find(({ name }) => name === asked.operator);
  if (operator === undefined) {
    return { kind: "refused", message: `There is no operator "${asked.operator}".` };
  }
  const work: PlanWork = {
    ...{ document, memory, sizes: [], memoryLimit: asked.memoryLimit },
    since: planQuestion(opened.document, { freesPlaces: false }),
    freesPlaces: freesPlaces(asked.whatIf),
    before: takenBy(document).seconds,
    ...(named !== undefined && { named }),
  };
  const found = waysOf(work, operator);
  if (typeof found === "string") return { kind: "refused", message: found };
  const { alternatives, request, unavailable } = found;
  hear({ done: 0, total: alternatives.length });
  for (const [at, alternative] of alternatives.entries()) {
    const way = wayOf({ work, operator, request }, alternative, at > 0);
    const answer = wholeAnswer(opened, way.answer);
    hear({ way: { ...way, answer }, done: at + 1, total: alternatives.length });
  }
  return { kind: "weighed", unavailable };
}

/**
 * Strategies of an operator, sorted by cost within the best plan; a string is the reason for
 * failure.
 */
function waysOf(work: PlanWork, operator: Operator) {
  const { document, memory } = work;
  const question = planQuestion(document, work);
  const pins = new Map([...question.pins].filter(([id]) => id !== operator.id));
  const request = requestOf({ ...question, pins }, undefined);
  const outcome = optimize(request, { memory });
  if (!outcome.ok) return `${capitalized(outcome.diagnostic.message)}.`;
  const { strategies, layouts } = outcome.value;
  const comparison = comparisonOf(request, { strategies, rest: layouts.rest }, memory);
  const alternatives = [...alternativesOf(comparison, operator.id)];
  // The best plan's own strategy is first, even among others of equal cost.
  alternatives.sort((a, b) => Number(b.isChosen) - Number(a.isChosen));
  const unavailable = unavailableCuts(comparison, operator.id).map(
    ({ identifier, axis, why }) => `${identifier} over ${axis}: ${why}`,
  );
  return { alternatives, request, unavailable };
}

interface Weighing {
  readonly work: PlanWork;
  readonly operator: Operator;
  readonly request: PlanRequest;
}

function wayOf(
  { work, operator, request }: Weighing,
  { strategy, text }: PlanAlternative,
  isPinned: boolean,
): SplitOption {
  const pins = new Map([...request.pins, [operator.id, strategy]]);
  const answer = planOf({ ...work, pins }, () => {});
  const own = work.since.plan.operators.get(operator.id)?.strategy;
  const isNow = own !== undefined && strategyText(own) === text;
  return { text, isNow, answer: isPinned ? pinned(work.document, operator, answer) : answer };
}

/** Answer whose text pins the operator; otherwise the next search would undo the choice. */
function pinned(document: Document, { name }: Operator, answer: PlanAnswer): PlanAnswer {
  if (answer.kind !== "planned" || answer.source === undefined) return answer;
  const source = withPin(document.reread(answer.source), name);
  if (source !== undefined) return { ...answer, source };
  const isPinnedAlready = document.pins.written.some(({ target }) => target === name);
  const note = `the text has no place for pin(${name})`;
  return isPinnedAlready ? answer : { ...answer, notes: [...answer.notes, note] };
}
