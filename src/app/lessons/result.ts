import { isRecord } from "#core/records";
import { gradeOf, type LessonTexts, worldOf } from "./grade.ts";
import type { Lesson } from "./lesson.ts";
import type { Facts } from "./predicate/facts.ts";
import { type Answer, isRight } from "./questions.ts";
import { scoreOf } from "./score.ts";

/** Result of a lesson as a student sends it; it proves nothing about its author. */
export interface LessonResult {
  readonly lesson: string;
  /** Hashes that identify the lesson (`version`) and its figures under the cost model (`model`). */
  readonly version: string;
  readonly model: string;
  /** Answers by step number, from 1. */
  readonly answers: ReadonlyMap<number, Answer>;
  /** Submitted plans by step number, from 1. */
  readonly plans: ReadonlyMap<number, string>;
}

/** Limits of a result: characters per plan, and entries per answer list. */
const [mostCharacters, mostEntries] = [32_768, 256];

/** Result as JSON with sorted steps, so equal results give equal text. */
export function printResult({ lesson, version, model, answers, plans }: LessonResult): string {
  const byStep = <T>(entries: ReadonlyMap<number, T>) =>
    Object.fromEntries([...entries].sort(([a], [b]) => a - b));
  return JSON.stringify({
    v: 1,
    lesson,
    version,
    model,
    answers: byStep(answers),
    plans: byStep(plans),
  });
}

/** Parses an untrusted result, or gives the reason why it is invalid. Never throws. */
export function readResult(
  json: string,
): { readonly ok: true; readonly result: LessonResult } | { readonly ok: false; why: string } {
  const refused = (why: string) => ({ ok: false, why }) as const;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return refused("the result cannot be read");
  }
  if (!isRecord(value)) return refused("the result cannot be read");
  const { v, lesson, version, model } = value;
  if (typeof v === "number" && v > 1) return refused("the result was made by a newer version");
  if (v !== 1 || !isName(lesson) || !isName(version) || !isName(model)) {
    return refused("the result names no lesson");
  }
  const answers = stepsOf(value["answers"], answerOf);
  const plans = stepsOf(value["plans"], planOf);
  if (answers === undefined || plans === undefined) {
    return refused("its answers or plans are none of a lesson");
  }
  return { ok: true, result: { lesson, version, model, answers, plans } };
}

function isName(value: unknown): value is string {
  return typeof value === "string" && /^[a-z0-9][a-z0-9-]{0,63}$/.test(value);
}

function stepsOf<T>(
  value: unknown,
  read: (each: unknown) => T | undefined,
): ReadonlyMap<number, T> | undefined {
  if (!isRecord(value)) return undefined;
  const steps = new Map<number, T>();
  for (const [step, each] of Object.entries(value)) {
    const entry = read(each);
    if (!/^[1-9]\d?$/.test(step) || entry === undefined) return undefined;
    steps.set(Number(step), entry);
  }
  return steps;
}

function planOf(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= mostCharacters ? value : undefined;
}

function answerOf(value: unknown): Answer | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, at } = value;
  const number = value["value"];
  const list = (each: unknown) =>
    Array.isArray(each) && each.length <= mostEntries && each.every((one) => Number.isInteger(one))
      ? (each as readonly number[])
      : undefined;
  const [cells, order] = [list(value["cells"]), list(value["order"])];
  if (kind === "unsure") return { kind };
  if (kind === "choice" && typeof at === "number") return { kind, at };
  if (kind === "number" && typeof number === "number") return { kind, value: number };
  if (kind === "cells" && cells !== undefined) return { kind, cells };
  return kind === "order" && order !== undefined ? { kind, order } : undefined;
}

/** Graded result; every answer and plan is computed again. */
export interface GradedResult {
  readonly right: number;
  readonly asked: number;
  readonly met: number;
  readonly goals: number;
  /** Number of goals about the view or a run, for which the result's own claim is accepted. */
  readonly believed: number;
  /** Stars of the last scored step whose goal is met; `share` is its score. */
  readonly stars?: number;
  readonly share?: number;
  /** Warnings shown beside the result. */
  readonly notes: readonly string[];
}

/**
 * Grades a result.
 *
 * @param texts all texts of the lesson, compiled
 * @param plans plans of the result, compiled, by step number from 1
 */
export function gradeResult(
  result: LessonResult,
  lesson: Lesson,
  texts: LessonTexts,
  plans: ReadonlyMap<number, Facts["compiled"]>,
): GradedResult {
  let graded: GradedResult = { right: 0, asked: 0, met: 0, goals: 0, believed: 0, notes: [] };
  for (const [at, { ask, act }] of lesson.steps.entries()) {
    const start = worldOf(lesson, at, texts);
    const answer = result.answers.get(at + 1);
    if (ask !== undefined && start !== undefined) {
      const isTrue = answer !== undefined && isRight(ask, answer, start);
      graded = { ...graded, asked: graded.asked + 1, right: graded.right + (isTrue ? 1 : 0) };
    }
    if (act === undefined) continue;
    const compiled = plans.get(at + 1);
    graded = { ...graded, goals: graded.goals + 1 };
    if (compiled === undefined) continue;
    const isSeen = act.solved !== undefined;
    const world = worldOf(lesson, at, texts, { compiled, ...act.solved });
    if (world === undefined || !gradeOf(act, world).isMet) continue;
    const score = scoreOf(act, world);
    graded = {
      ...graded,
      met: graded.met + 1,
      believed: graded.believed + (isSeen ? 1 : 0),
      ...(score !== undefined && { stars: score.stars, share: score.score }),
    };
  }
  return { ...graded, notes: notesOf(result, lesson, texts, graded) };
}

function notesOf(
  { version, model }: LessonResult,
  lesson: Lesson,
  texts: LessonTexts,
  { believed }: GradedResult,
): readonly string[] {
  return [
    ...(version === versionOf(lesson) ? [] : ["made with another version of the lesson"]),
    ...(model === modelOf(texts) ? [] : ["made with another model of costs"]),
    ...(believed > 0
      ? [`${believed} of the goals met as the result says: it was looked at or run`]
      : []),
  ];
}

/** Hash of a lesson, which any edit changes. */
export function versionOf(lesson: Lesson): string {
  return markOf(JSON.stringify(lesson));
}

/** Hash of the cost model, from the figures that it gives for the texts of a lesson. */
export function modelOf(texts: LessonTexts): string {
  const figures = [...texts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { cost, memory }]) => [
      name,
      cost.bytes,
      ...[cost.seconds, memory.peakBytes].map((each) => each.toPrecision(9)),
    ]);
  return markOf(JSON.stringify(figures));
}

/** FNV-1a hash of a text's UTF-16 units, as eight hexadecimal digits. */
function markOf(text: string): string {
  let mark = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    mark = Math.imul(mark ^ text.charCodeAt(at), 0x01000193);
  }
  return (mark >>> 0).toString(16).padStart(8, "0");
}
