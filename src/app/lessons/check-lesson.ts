import { gradeOf, type LessonTexts, startOfStep, worldOf } from "./grade.ts";
import type { Act, Ask, HiddenFigure, Lesson, LessonStep } from "./lesson.ts";
import { evaluate, isTrue, type World } from "./predicate/evaluate.ts";
import { parsePredicate } from "./predicate/parse.ts";
import { bareThresholds } from "./predicate/thresholds.ts";
import { figureOf, mistakeOf, rightCells, rightOrder } from "./questions.ts";
import { scoreOf } from "./score.ts";
import { figureIn, parseSentence } from "./sentence.ts";

/**
 * The faults of a lesson, one sentence each with its place: conditions that cannot be read, a goal
 * that its solution misses or its start meets, unknown figures, claims that do not hold, questions
 * without a right answer.
 *
 * @param texts all texts of the lesson, compiled
 */
export function lessonFaults(lesson: Lesson, texts: LessonTexts): readonly string[] {
  return lesson.steps.flatMap((step, at) =>
    stepFaults(lesson, at, step, texts).map((fault) => `step ${at + 1}: ${fault}`),
  );
}

function stepFaults(
  lesson: Lesson,
  at: number,
  step: LessonStep,
  texts: LessonTexts,
): readonly string[] {
  const start = startOfStep(lesson, at);
  const names = [step.show.text, step.act?.solution].flatMap((name) =>
    name === undefined || Object.hasOwn(lesson.texts, name) ? [] : [`there is no text ${name}`],
  );
  const world = worldOf(lesson, at, texts);
  if (names.length > 0) return names;
  if (world === undefined) return [`no text is on the board (${start ?? "none was shown"})`];
  return [
    ...sentencesOf(step).flatMap((sentence) => sentenceFaults(sentence, world)),
    ...step.claims.flatMap((claim) => claimFaults(claim, world)),
    ...(step.ask === undefined ? [] : askFaults(step.ask, world)),
    ...actFaults(lesson, at, texts, world),
  ];
}

/** All sentences that a step can show. */
function sentencesOf({ say, how, reveal, hints, ask, act }: LessonStep): readonly string[] {
  return [
    ...[say, reveal, ...hints],
    ...(how === undefined ? [] : [how.wide, how.touch]),
    ...(ask === undefined ? [] : [ask.question]),
    ...(ask?.kind === "choice" ? ask.options.flatMap(({ text, says = "" }) => [text, says]) : []),
    ...(ask?.kind === "number" ? (ask.mistakes ?? []).map(({ says }) => says) : []),
    ...(ask?.kind === "order" ? ask.items.map(({ text }) => text) : []),
    ...(act === undefined ? [] : [act.task]),
  ];
}

function sentenceFaults(sentence: string, world: World): readonly string[] {
  const { pieces, faults } = parseSentence(sentence);
  const unknown = pieces.flatMap((piece) =>
    piece.kind === "figure" && figureIn(piece, world) === undefined
      ? [`{${sentence.slice(piece.span.from, piece.span.to)}} is unknown`]
      : [],
  );
  return [
    ...faults.map(({ message, span }) => `{${sentence.slice(span.from, span.to)}}: ${message}`),
    ...unknown,
  ];
}

function claimFaults(claim: string, world: World): readonly string[] {
  const parsed = parsePredicate(claim);
  if (!parsed.ok) return [`"${claim}": ${parsed.fault.message}`];
  return isTrue(evaluate(parsed.value, world)) ? [] : [`"${claim}" does not hold`];
}

/** Plan figures that the page displays, mapped to the name that hides them. */
const figuresOfPage: ReadonlyMap<string, HiddenFigure> = new Map([
  ["memory", "memory"],
  ["bytes", "comm"],
  ["time", "time"],
]);

function askFaults(ask: Ask, world: World): readonly string[] {
  switch (ask.kind) {
    case "choice": {
      const isSplit = new Set(ask.options.map(({ isRight }) => isRight)).size === 2;
      return isSplit ? [] : ["a question needs right and wrong choices"];
    }
    case "number": {
      const shown = figuresOfPage.get(ask.value.trim());
      return [
        ...[ask, ...(ask.mistakes ?? [])].flatMap(({ value }) =>
          figureOf(value, world).kind === "number" ? [] : [`{${value}} is no number`],
        ),
        ...mistakeFaults(ask, world),
        ...(shown === undefined || ask.hides?.includes(shown) === true
          ? []
          : [`the page shows {${ask.value}}: hides must name ${shown}`]),
      ];
    }
    case "cells": {
      const cells = rightCells(ask, world.now);
      const most = ask.rows * ask.columns;
      const isQuestion = cells !== undefined && cells.length > 0 && cells.length < most;
      return isQuestion ? [] : ["of the cells none, all, or nobody knows which are right"];
    }
    case "order": {
      const values = ask.items.map(({ value }) => figureOf(value, world));
      const numbers = values.flatMap((each) => (each.kind === "number" ? [each.value] : []));
      const isStrict = new Set(numbers).size === ask.items.length;
      return isStrict && rightOrder(ask, world) !== undefined
        ? []
        : ["two of the figures are equal"];
    }
  }
}

/**
 * Faults of `mistakes`: an entry within the tolerance of the right answer or of an earlier entry
 * would never show its own sentence.
 */
function mistakeFaults(ask: Extract<Ask, { kind: "number" }>, world: World): readonly string[] {
  return (ask.mistakes ?? []).flatMap(({ value, says }) => {
    const figure = figureOf(value, world);
    if (figure.kind !== "number") return [];
    const given = { kind: "number", value: figure.value } as const;
    return mistakeOf(ask, given, world) === says ? [] : [`{${value}} is right, or another mistake`];
  });
}

function actFaults(
  lesson: Lesson,
  at: number,
  texts: LessonTexts,
  start: World,
): readonly string[] {
  const act = lesson.steps[at]?.act;
  if (act === undefined) return [];
  const parsed = parsePredicate(act.goal);
  if (!parsed.ok) {
    const { message, span } = parsed.fault;
    return [`the goal at ${span.from}: ${message}`];
  }
  const bare = bareThresholds(parsed.value).map(
    ({ message, span }) => `the goal at ${span.from}: ${message}`,
  );
  const solved = texts.get(act.solution);
  const world = solved && worldOf(lesson, at, texts, { compiled: solved, ...act.solved });
  if (world === undefined) return [...bare, `there is no text ${act.solution}`];
  const missed = gradeOf(act, world).conjuncts.filter(({ isMet }) => !isMet);
  const isDone = gradeOf(act, start).isMet;
  return [
    ...bare,
    ...missed.map(({ condition, words }) => `its solution misses "${condition}": ${words}`),
    ...(isDone ? ["its start meets the goal already"] : []),
    ...scoreFaults(act, world),
  ];
}

/** @param solved the plans, with the solution in place of the plan on the board */
function scoreFaults(act: Act, solved: World): readonly string[] {
  if (act.score === undefined) return [];
  const score = scoreOf(act, solved);
  if (score === undefined) return ["the figure or the bound of its score is no number above zero"];
  return score.isBelowBound ? ["its solution goes below the bound of its score"] : [];
}
