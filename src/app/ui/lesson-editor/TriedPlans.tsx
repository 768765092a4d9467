import { useState } from "react";
import { gradeOf, type Lesson, plansToTry, worldOf } from "#app/lessons";
import type { LessonDesk } from "#app/state";
import type { Compiled } from "#compile";
import { keyed } from "../drawing/keyed.ts";

interface Props {
  readonly desk: LessonDesk;
  readonly lesson: Lesson;
  readonly at: number;
}

interface Tried {
  readonly passing: readonly string[];
  readonly count: number;
  readonly of: number;
}

/** Plans near the solution, tried against the goal: the author may not have meant all that pass. */
export function TriedPlans({ desk, lesson, at }: Props) {
  const [tried, setTried] = useState<Tried>();
  const isUnderWay = tried !== undefined && tried.count < tried.of;
  return (
    <section className="lesson-tried" aria-label="Plans that pass">
      <button
        type="button"
        className="btn line"
        disabled={isUnderWay}
        onClick={() => void tryPlans({ desk, lesson, at }, setTried)}
      >
        Try wrong answers
      </button>
      {tried !== undefined && (
        <>
          <p role="status" data-testid="tried-plans">
            {isUnderWay
              ? `${tried.count} of ${tried.of} plans tried`
              : tried.passing.length === 0
                ? `None of ${tried.of} plans near the solution passes but the solution.`
                : `These of ${tried.of} plans pass: is that meant?`}
          </p>
          <ul>
            {keyed(tried.passing).map(({ key, item }) => (
              <li key={key}>{item}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

async function tryPlans({ desk, lesson, at }: Props, hear: (tried: Tried) => void): Promise<void> {
  const act = lesson.steps[at]?.act;
  const plans = plansToTry(lesson, at);
  const texts = new Map<string, Compiled>();
  const compiled = async (text: string) => {
    for (let tries = 0; tries < 5; tries += 1) {
      const found = await desk.compiled(text);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  for (const [name, text] of Object.entries(lesson.texts)) {
    const found = await compiled(text);
    if (found !== undefined) texts.set(name, found);
  }
  const passing: string[] = [];
  hear({ passing, count: 0, of: plans.length });
  for (const [place, { what, text }] of plans.entries()) {
    const found = await compiled(text);
    const facts = found && { compiled: found, ...act?.solved };
    const world = facts && worldOf(lesson, at, texts, facts);
    if (act !== undefined && world !== undefined && gradeOf(act, world).isMet) passing.push(what);
    hear({ passing: [...passing], count: place + 1, of: plans.length });
  }
}
