import { useMemo } from "react";
import {
  type Ask,
  figureOf,
  firstInOrder,
  type Lesson,
  type LessonStep,
  type LessonTexts,
  plainSentence,
  rightCells,
  rightOrder,
  startOfStep,
  type World,
  worldOf,
} from "#app/lessons";
import { planPicture } from "#app/scene/svg";
import { formatBytes, formatCount, formatSeconds } from "#app/scene/text";
import type { OpenLesson } from "#app/state";
import { keyed } from "../drawing/keyed.ts";
import { pictureAddress } from "../export/picture-address.ts";
import { useApp } from "../store-context.tsx";
import "./handout.css";

/**
 * The open lesson on paper: its words, its questions with room for answers, and the answers at the
 * end.
 */
export function HandoutPage() {
  const opened = useApp((state) => state.lesson);
  if (opened === undefined) return null;
  return <Handout opened={opened} />;
}

function Handout({ opened: { lesson, texts } }: { readonly opened: OpenLesson }) {
  const isWhole = texts.size === Object.keys(lesson.texts).length;
  return (
    <div className="print handout" data-testid="handout">
      <h1>{lesson.title}</h1>
      <p className="handout-name">Name</p>
      {!isWhole && <p>Not all of this lesson was worked out yet: print it once more.</p>}
      {keyed(lesson.steps).map(({ key: at, item }) => (
        <Step key={at} lesson={lesson} texts={texts} at={at} step={item} />
      ))}
      <section className="handout-answers">
        <h1>Answers: {lesson.title}</h1>
        {keyed(lesson.steps).map(({ key: at, item }) => (
          <Answers key={at} lesson={lesson} texts={texts} at={at} step={item} />
        ))}
        <p>All figures are of a model of costs.</p>
      </section>
    </div>
  );
}

interface Props {
  readonly lesson: Lesson;
  readonly texts: LessonTexts;
  /** Counted from 0. */
  readonly at: number;
  readonly step: LessonStep;
}

/** A sentence with its figures as they are now. */
function said(sentence: string, world: World | undefined): string {
  return world === undefined ? sentence : plainSentence(sentence, world);
}

function Step({ lesson, texts, at, step: { say, how, show, ask, act } }: Props) {
  const world = worldOf(lesson, at, texts);
  return (
    <section className="handout-step">
      <h2>Step {at + 1}</h2>
      <p>{said(say, world)}</p>
      {how !== undefined && <p>{said(how.wide, world)}</p>}
      {show.text !== undefined && startOfStep(lesson, at - 1) !== show.text && (
        <Figure texts={texts} name={show.text} />
      )}
      {ask !== undefined && <Question ask={ask} world={world} />}
      {act !== undefined && (
        <>
          <p>
            <b>{said(act.task, world)}</b>
          </p>
          <p className="handout-box tall">Lines that you change or add</p>
        </>
      )}
    </section>
  );
}

/** A plan as it is drawn, with its text beside it. */
function Figure({ texts, name }: { readonly texts: LessonTexts; readonly name: string }) {
  const compiled = texts.get(name);
  const picture = useMemo(
    () => compiled && pictureAddress(planPicture(compiled, { theme: "light" })),
    [compiled],
  );
  if (compiled === undefined) return null;
  return (
    <figure>
      <pre>{compiled.source.trim()}</pre>
      <img src={picture} alt={`The plan ${name}`} />
    </figure>
  );
}

function Question({ ask, world }: { readonly ask: Ask; readonly world: World | undefined }) {
  return (
    <>
      <p>
        <b>{said(ask.question, world)}</b>
      </p>
      <Room ask={ask} world={world} />
    </>
  );
}

const unitWords = { bytes: "Bytes", seconds: "Seconds", count: "A number" } as const;

/** Room for the written answer. */
function Room({ ask, world }: { readonly ask: Ask; readonly world: World | undefined }) {
  switch (ask.kind) {
    case "choice":
      return (
        <ul className="handout-boxes">
          {ask.options.map(({ text }) => (
            <li key={text}>{said(text, world)}</li>
          ))}
        </ul>
      );
    case "order":
      return (
        <>
          <p>Number them, the {firstInOrder(ask)} first.</p>
          <ul className="handout-boxes">
            {ask.items.map(({ text }) => (
              <li key={text}>{said(text, world)}</li>
            ))}
          </ul>
        </>
      );
    case "number":
      return <p className="handout-box">{unitWords[ask.unit]}</p>;
    case "cells":
      return (
        <ul
          className="handout-boxes grid"
          style={{ gridTemplateColumns: `repeat(${ask.columns}, auto)` }}
        >
          {Array.from({ length: ask.rows * ask.columns }, (_, cell) => cellWords(ask, cell)).map(
            (words) => (
              <li key={words}>{words}</li>
            ),
          )}
        </ul>
      );
  }
}

function cellWords({ rows, columns }: Extract<Ask, { kind: "cells" }>, cell: number): string {
  if (rows === 1 || columns === 1) return `Part ${cell + 1} of ${rows * columns}`;
  return `Rows ${Math.floor(cell / columns) + 1}, columns ${(cell % columns) + 1}`;
}

function Answers({ lesson, texts, at, step: { ask, act, reveal } }: Props) {
  const world = worldOf(lesson, at, texts);
  const solution = act === undefined || act.solved !== undefined ? undefined : act.solution;
  return (
    <section className="handout-step">
      <h2>Step {at + 1}</h2>
      {ask !== undefined && <p>{world === undefined ? "Unknown." : answerWords(ask, world)}</p>}
      {solution !== undefined && <pre>{changedLines(lesson, at, solution)}</pre>}
      <p>{said(reveal, world)}</p>
    </section>
  );
}

function answerWords(ask: Ask, world: World): string {
  switch (ask.kind) {
    case "choice":
      return ask.options
        .flatMap(({ text, isRight }) => (isRight ? [said(text, world)] : []))
        .join("; ");
    case "number": {
      const value = figureOf(ask.value, world);
      if (value.kind !== "number") return "Unknown.";
      const format = { bytes: formatBytes, seconds: formatSeconds, count: formatCount }[ask.unit];
      return format(value.value);
    }
    case "cells":
      return (
        rightCells(ask, world.now)
          ?.map((cell) => cellWords(ask, cell))
          .join("; ") ?? "Unknown."
      );
    case "order":
      return (
        rightOrder(ask, world)
          ?.map((item) => said(ask.items[item]?.text ?? "", world))
          .join("; ") ?? "Unknown."
      );
  }
}

/** The lines of a solution that the step's first text lacks; all lines if it lacks none. */
function changedLines(lesson: Lesson, at: number, solution: string): string {
  const start = lesson.texts[startOfStep(lesson, at) ?? ""]?.split("\n") ?? [];
  const lines = lesson.texts[solution]?.trim().split("\n") ?? [];
  const fresh = lines.filter((line) => !start.includes(line));
  return (fresh.length === 0 ? lines : fresh).join("\n");
}
