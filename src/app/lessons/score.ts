import type { Act } from "./lesson.ts";
import type { World } from "./predicate/evaluate.ts";
import { type Unit, unitOf } from "./predicate/expression.ts";
import { parseFigure } from "./predicate/parse.ts";
import { figureText } from "./predicate/words.ts";
import { figureOf } from "./questions.ts";

/** The score of a plan that meets the goal of a challenge (teaching.md §2.1). */
export interface Score {
  /** The figures of this plan, of the best known plan, and a lower bound for all plans. */
  readonly yours: number;
  readonly best: number;
  readonly bound: number;
  readonly unit: Unit;
  /** `bound / yours`: 1 if no plan can be better. */
  readonly score: number;
  /** 1 of a plan that meets the goal, 2 within a tenth of the best known, 3 at it. */
  readonly stars: 1 | 2 | 3;
  /** Whether the plan beats the best that was known. */
  readonly isRecord: boolean;
  /** Whether the plan is at the bound, so that none is better. */
  readonly isProven: boolean;
  /** Whether the plan is below the bound, so that the bound is wrong. */
  readonly isBelowBound: boolean;
}

/** Two sums of many modelled figures that differ by less are equal. */
const nearly = 1e-9;

/** The relative distance from the best known within which a plan has two stars. */
const near = 0.1;

/**
 * The score of a plan that meets the goal; `undefined` where the step counts nothing, or a figure
 * is unknown or not above zero.
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

/** A score in words: both numbers of it, its stars, and what is proven. */
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

/** `0.94`; less than 1 as long as it is, however near. */
function shareText(score: number): string {
  return score < 1 && score > 0.995 ? "over 0.99" : score.toFixed(2);
}
