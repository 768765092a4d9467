import type { Operator } from "#core/ir";
import type { OperatorPlan } from "#core/plan";
import { type Hue, tagsOf } from "../hue.ts";
import { unverifiedSentence } from "../text/unverified-sentence.ts";
import { annotationRuns } from "./annotation-runs.ts";
import { type Card, type CardPiece, type ShownStatus, type StrategyChip, words } from "./card.ts";

/** The facts on the card of an operator. */
export interface OperatorFacts {
  /** The operator's name in this place. */
  readonly name: string;
  readonly operator: Operator;
  readonly plan: OperatorPlan | undefined;
  readonly status: ShownStatus;
  readonly isPinned: boolean;
}

/**
 * The card of one operator: name, call and status in the first row, annotation and strategy below.
 */
export function operatorCard({ name, operator, plan, status, isPinned }: OperatorFacts): Card {
  const chips = plan === undefined ? [] : strategyChips(plan);
  const { call, annotation, phase = "forward" } = operator;
  const tags = [
    ...(isPinned ? [words("tag", "pinned")] : []),
    ...(phase === "recompute" ? [words("tag", "recomputed")] : []),
  ];
  // Status for forward operators only: no text can set the splits of training operators, which
  // follow from the forward ones.
  const isWritten = phase === "forward";
  return {
    rows: [
      {
        start: [words("name", name), words("call", `= ${call}`, call)],
        end: [...tags, ...(isWritten ? [{ kind: "status", status } as const] : [])],
      },
      {
        start: [{ kind: "annotation", runs: annotationRuns(annotation, plan) }],
        end: [...givenTag(plan), ...chipsPiece(chips, plan)],
      },
    ],
    beside: [],
  };
}

/** The hues of the mesh axes that shard an operator, in the order of its identifiers. */
export function cutHues(plan: OperatorPlan | undefined): readonly Hue[] {
  if (plan === undefined) return [];
  return strategyChips(plan).flatMap(({ axes }) => axes.map(({ hue }) => hue));
}

function givenTag(plan: OperatorPlan | undefined): readonly CardPiece[] {
  if (plan?.unverified === undefined) return [];
  const { rule } = plan.unverified;
  return [words("tag", `as given: ${rule}`, unverifiedSentence(rule))];
}

function chipsPiece(
  chips: readonly StrategyChip[],
  plan: OperatorPlan | undefined,
): readonly CardPiece[] {
  if (plan === undefined || chips.length === 0) return [];
  return [{ kind: "chips", chips, status: plan.status }];
}

/** The sharded identifiers in order; pieces on one device are no shards. */
function strategyChips({ mesh, strategy }: OperatorPlan): readonly StrategyChip[] {
  return Object.entries(strategy.cuts).flatMap(([identifier, parts]) => {
    const axes = tagsOf(mesh, parts);
    return axes.length === 0 ? [] : [{ identifier, axes }];
  });
}
