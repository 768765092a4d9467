import {
  type Act,
  challenges,
  checkLessonForm,
  type Facts,
  type Answer as Given,
  gradeOf,
  isRight,
  type Lesson,
  type LessonTexts,
  lessonFaults,
  lessonOf,
  lessons,
  type Score,
  scoreOf,
  scoreWords,
  type World,
  worldOf,
} from "#app/lessons";
import { compile } from "#compile";
import type { Diagnostic } from "#core/diagnostics";
import { isRecord } from "#core/records";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { compileRequest } from "./compile-request.ts";
import { runAnswer } from "./run.ts";

const known = [...lessons, ...challenges];

/** Name that asks for a check of all lessons' statements. */
const check = "check";

/**
 * `lesson`: lists all lessons, or shows one; with a program or answers, tells which steps they
 * meet; with the name `check`, verifies the lessons' statements.
 */
export function lessonAnswer(args: Arguments): Answer {
  const { name, lesson } = args;
  if (name === undefined && lesson === undefined) return listed();
  const given = lesson === undefined ? undefined : checkLessonForm(lesson);
  if (given?.ok === false) return untrue("lesson/form", given.faults);
  if (name === check) return checked(given === undefined ? known : [given.lesson]);
  const found = given?.lesson ?? (typeof name === "string" ? lessonOf(name) : undefined);
  if (found === undefined) {
    const names = known.map(({ id }) => id).join(", ");
    return badRequest(`there is no lesson ${JSON.stringify(name)}; there are ${names}`);
  }
  if (args.program === undefined && args.answers === undefined) {
    return { ok: true, lesson: found, diagnostics: [] };
  }
  return graded(found, args);
}

function listed(): Answer {
  const rows = known.map(({ id, title, minutes }) => ({ name: id, title, minutes }));
  return { ok: true, lessons: rows, diagnostics: [] };
}

function untrue(code: DiagnosticCode, faults: readonly string[]): Answer {
  const diagnostics = faults.map((message): Diagnostic => ({ code, severity: "error", message }));
  return { ok: false, diagnostics };
}

function compiledTexts({ texts }: Lesson): LessonTexts {
  return new Map(Object.entries(texts).map(([name, text]) => [name, compile(text)]));
}

function checked(all: readonly Lesson[]): Answer {
  const rows = all.map((lesson) => ({
    name: lesson.id,
    faults: lessonFaults(lesson, compiledTexts(lesson)),
  }));
  const faults = rows.flatMap(({ name, faults: own }) => own.map((fault) => `${name}, ${fault}`));
  const { ok, diagnostics } = untrue("lesson/untrue", faults);
  return { ok: ok || faults.length === 0, lessons: rows, diagnostics };
}

function graded(lesson: Lesson, args: Arguments): Answer {
  const texts = compiledTexts(lesson);
  const answers = readAnswers(lesson, args.answers);
  if (typeof answers === "string") return badRequest(answers);
  const given = answers.map(({ step, answer }) => {
    const { ask } = lesson.steps[step - 1] ?? {};
    const world = worldOf(lesson, step - 1, texts);
    return { step, right: ask !== undefined && world !== undefined && isRight(ask, answer, world) };
  });
  const answered = args.answers === undefined ? {} : { answers: given };
  if (args.program === undefined) return { ok: true, ...answered, diagnostics: [] };
  const compiled = compileRequest(args);
  if (!compiled.ok) return { ok: false, diagnostics: compiled.diagnostics };
  const facts = factsOf(lesson, args, compiled.value);
  const steps = lesson.steps.flatMap(({ act }, at) => {
    const world = worldOf(lesson, at, texts, facts);
    if (act === undefined || world === undefined) return [];
    return [stepRow(at + 1, act, world)];
  });
  const { step } = args;
  const wanted = steps.filter((each) => step === undefined || each.step === step);
  if (wanted.length === 0) return badRequest(`no step of ${lesson.id} that this names has a goal`);
  const isMet = wanted.some(({ met }) => met);
  const first = isMet ? undefined : wanted.find(({ met }) => !met)?.first;
  return {
    ok: true,
    met: isMet,
    ...(first !== undefined && { first }),
    steps: wanted,
    ...answered,
    diagnostics: compiled.value.diagnostics,
  };
}

function stepRow(step: number, act: Act, world: World) {
  const { isMet, conjuncts, first } = gradeOf(act, world);
  const score = isMet ? scoreOf(act, world) : undefined;
  const row = ({ condition, words }: (typeof conjuncts)[number]) => ({ condition, value: words });
  return {
    step,
    met: isMet,
    ...(first !== undefined && { first: row(first) }),
    conditions: conjuncts.map((each) => ({ ...row(each), met: each.isMet })),
    ...(score !== undefined && { score: scoreRow(score) }),
  };
}

function scoreRow(score: Score) {
  const { yours, best, bound, stars, isProven } = score;
  const numbers = { score: score.score, stars, yours, best, bound };
  return { ...numbers, proven: isProven, words: scoreWords(score) };
}

/** The compiled program and, if a goal needs it, the result of its run. */
function factsOf(lesson: Lesson, args: Arguments, compiled: Facts["compiled"]): Facts {
  const asksRun = lesson.steps.some(({ act }) => /\bequal\b/.test(act?.goal ?? ""));
  if (!asksRun) return { compiled };
  const { equal } = runAnswer({ ...args, engine: "cpu", values: "integers" });
  return { compiled, ...(typeof equal === "boolean" && { isEqual: equal }) };
}

interface StepAnswer {
  readonly step: number;
  readonly answer: Given;
}

/**
 * Reads answers such as `{"1": 2}`, by step and in the form of each question; returns a sentence if
 * one is malformed.
 */
function readAnswers(lesson: Lesson, given: unknown): readonly StepAnswer[] | string {
  if (given === undefined) return [];
  if (!isRecord(given)) return '"answers" must be an object of answers by the number of the step';
  const answers: StepAnswer[] = [];
  for (const [step, value] of Object.entries(given)) {
    const ask = lesson.steps[Number(step) - 1]?.ask;
    if (ask === undefined) return `step ${step} of ${lesson.id} asks nothing`;
    const answer = answerOf(ask.kind, value);
    if (answer === undefined) return `the answer to step ${step} must be ${answerWords[ask.kind]}`;
    answers.push({ step: Number(step), answer });
  }
  return answers;
}

const answerWords = {
  choice: "the number of a choice, from 1",
  number: "a number",
  cells: "a list of cells, row by row from 0",
  order: "a list of items from 1, the largest first",
} as const;

function answerOf(kind: keyof typeof answerWords, value: unknown): Given | undefined {
  if (value === null) return { kind: "unsure" };
  const list = Array.isArray(value) && value.every((each) => typeof each === "number");
  switch (kind) {
    case "choice":
      return typeof value === "number" ? { kind, at: value - 1 } : undefined;
    case "number":
      return typeof value === "number" ? { kind, value } : undefined;
    case "cells":
      return list ? { kind, cells: value } : undefined;
    case "order":
      return list ? { kind, order: value.map((each: number) => each - 1) } : undefined;
  }
}
