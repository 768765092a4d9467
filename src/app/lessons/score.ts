import type { Act } from "./lesson.ts";
import type { World } from "./predicate/evaluate.ts";
import { type Unit, unitOf } from "./predicate/expression.ts";
import { parseFigure } from "./predicate/parse.ts";
import { figureText } from "./predicate/words.ts";
import { figureOf } from "./questions.ts";

/** The score of a plan that meets the goal of a challenge (teaching.md §2.1). */
export interface Score {
  /** Figures of this plan and of the best known plan, and a lower bound for all plans. */
  readonly yours: number;
  readonly best: number;
  readonly bound: number;
  readonly unit: Unit;
  /** `bound / yours`, at most 1; 1 means that no plan can be better. */
  readonly score: number;
  /** 3 for a plan as good as the best known, 2 within a tenth of it, else 1. */
  readonly stars: 1 | 2 | 3;
  /** Whether the plan beats the best known one. */
  readonly isRecord: boolean;
  /** Whether the plan reaches the bound, so no plan is better. */
  readonly isProven: boolean;
  /** Whether the plan is below the bound, which is then wrong. */
  readonly isBelowBound: boolean;
}

/** Relative tolerance of comparisons between modelled figures. */
const nearly = 1e-9;

/** Relative distance from the best known figure that still gives two stars. */
const near = 0.1;

/**
 * Score of a plan that meets the goal. `undefined` if the step has no score, or a figure is unknown
 * or not above zero.
 */
export function scoreOf({ score: rule }: Act, world: World): Score | undefined {
  const solved = world.of("best");
  if (rule === undefined || solved === undefined) return undefined;
  const figure = (text: string, of: World) => {
    const value = figureOf(text, of);
    return value.kind === "number" && value.value > 0 ? value.value : undefined;
  };
  const yours = figure(rule.figure, world);
  const best = figure(rule.figure, { ...world, now: solved });
  const bound = figure(rule.bound, world);
  if (yours === undefined || best === undefined || bound === undefined) return undefined;
  const counted = parseFigure(rule.figure);
  return {
    ...{ yours, best, bound },
    unit: counted.ok ? unitOf(counted.value) : "count",
    score: Math.min(1, bound / yours),
    stars: yours <= best * (1 + nearly) ? 3 : yours <= best * (1 + near) ? 2 : 1,
    isRecord: yours < best * (1 - nearly),
    isProven: Math.abs(yours - bound) <= nearly * bound,
    isBelowBound: yours < bound * (1 - nearly),
  };
}

/**
 * Score in words: its two figures, its place beside the best known plan, and whether it is optimal.
 */
export function scoreWords(score: Score): string {
  const { yours, best, bound, unit, stars, isRecord, isProven, isBelowBound } = score;
  const [own, least, known] = [yours, bound, best].map((value) => figureText(value, unit));
  if (isBelowBound) {
    return `${own} is less than ${least}, of which the challenge says that no plan goes below it: so that bound is wrong, and there is no score.`;
  }
  const share = `Score ${shareText(score.score)}: ${least}, which no plan goes below, by your ${own}.`;
  const place = {
    1: `Met; the best known plan has ${known}.`,
    2: `Within 10 % of the best known, ${known}.`,
    3: isRecord ? `Better than the best known, ${known}.` : "As good as the best known.",
  }[stars];
  return `${share} ${place}${isProven ? " It is proven that none is better." : ""}`;
}

/** Score with two digits: `0.94`; a score below 1 is never rounded up to 1. */
function shareText(score: number): string {
  return score < 1 && score > 0.995 ? "over 0.99" : score.toFixed(2);
}
