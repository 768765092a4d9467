import { ChevronDown, ChevronUp, Presentation, Printer, X } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { World } from "#app/lessons";
import "./lesson.css";
import { IconButton } from "../atoms/IconButton.tsx";
import { useLetterKeys } from "../palette/use-letter-keys.ts";
import { PlannedButton } from "../run/BrokenButton.tsx";
import { useApp } from "../store-context.tsx";
import { ActPart } from "./ActPart.tsx";
import { AskForm } from "./AskForm.tsx";
import { goToLesson } from "./go-to-lesson.ts";
import { LessonFoot } from "./LessonFoot.tsx";
import { LessonHow } from "./LessonHow.tsx";
import { LessonDeskProvider, useLateDesk, useLessonDesk } from "./lesson-desk.ts";
import { lessonNumber } from "./lesson-number.ts";
import { SentenceView } from "./SentenceView.tsx";
import { ToDims } from "./ToDims.tsx";
import { type LessonView, useLesson } from "./use-lesson.ts";

/** The open lesson: text, question, task, and then the explanation. */
export function LessonPanel() {
  const desk = useLateDesk();
  return (
    desk && (
      <LessonDeskProvider value={desk}>
        <Panel />
      </LessonDeskProvider>
    )
  );
}

function Panel() {
  const view = useLesson();
  const [isOpen, open] = useState(true);
  const wasShown = useRef(false);
  const { leave } = useLessonDesk();
  const present = useApp((state) => state.present);
  if (view === undefined) return null;
  const { lesson, at, resets } = view.opened;
  const number = lessonNumber(lesson);
  return (
    <section className="lesson" aria-label="Lesson" data-testid="lesson" data-open={isOpen}>
      <div className="head">
        <div className="lesson-title">
          <h2>
            {number !== undefined && <span className="mut">{number}. </span>}
            {lesson.title}
          </h2>
          <span className="mut num nowrap">
            Step {at + 1} of {lesson.steps.length}
          </span>
        </div>
        <IconButton
          icon={isOpen ? ChevronDown : ChevronUp}
          size={16}
          name={isOpen ? "Fold the lesson" : "Unfold the lesson"}
          aria-expanded={isOpen}
          onClick={() => open(!isOpen)}
        />
        <IconButton icon={Printer} size={16} name="Print as a handout" onClick={printHandout} />
        <IconButton
          icon={Presentation}
          size={16}
          name="Present the lesson"
          onClick={() => present(true)}
        />
        <IconButton icon={X} size={16} name="Leave the lesson" onClick={leave} />
      </div>
      {isOpen && (
        <LessonBody key={`${lesson.id} ${at} ${resets}`} view={view} wasShown={wasShown} />
      )}
    </section>
  );
}

/** The handout's code is loaded first, since printing does not wait. */
function printHandout(): void {
  void import("./HandoutPage.tsx").then(
    () => print(),
    () => {},
  );
}

interface BodyProps {
  readonly view: LessonView;
  /** Whether the panel has shown another step before. */
  readonly wasShown: RefObject<boolean>;
}

function LessonBody({ view, wasShown }: BodyProps) {
  const { opened, world, grade, score, isElsewhere } = view;
  const { lesson, at, answers, met, hints } = opened;
  const step = lesson.steps[at];
  const top = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // A new step takes the focus, so that it is read from its beginning; the first one leaves the
    // focus.
    if (wasShown.current) top.current?.focus({ preventScroll: true });
    wasShown.current = true;
  }, [wasShown]);
  useLetterKeys({ l: goToLesson });
  if (step === undefined) return null;
  const { ask, act } = step;
  const isAnswered = ask === undefined || answers.has(at);
  const isMet = act === undefined || met.has(at);
  return (
    <div className="lesson-body">
      <p className="lesson-say" ref={top} tabIndex={-1}>
        <SentenceView sentence={step.say} world={world} />
      </p>
      <LessonHow how={step.how} world={world} />
      {act !== undefined && <ToDims />}
      {step.show.fault !== undefined && !isElsewhere && (
        // The thing to press may be out of sight, or on another panel.
        <div className="lesson-row">
          <PlannedButton />
        </div>
      )}
      {ask !== undefined && <AskForm ask={ask} answer={answers.get(at)} world={world} />}
      {act !== undefined && isAnswered && (
        <ActPart
          act={act}
          grade={grade}
          score={score}
          isMet={met.has(at)}
          isElsewhere={isElsewhere}
          world={world}
        />
      )}
      {/* Live regions are mounted empty: a region that appears with its words is not announced. */}
      <div className="lesson-heard" role="status" aria-label="Hints">
        {step.hints.slice(0, hints).map((hint) => (
          <p key={hint} className="lesson-hint">
            <b>Hint.</b> <SentenceView sentence={hint} world={world} />
          </p>
        ))}
      </div>
      <div className="lesson-heard" role="status" aria-label="What happened">
        {isAnswered && isMet && <Reveal sentence={step.reveal} world={world} />}
      </div>
      <LessonFoot view={view} isDone={isAnswered && isMet} />
    </div>
  );
}

/** The result and its reason. Where the panel is too low for all, it scrolls to the verdict. */
function Reveal({
  sentence,
  world,
}: {
  readonly sentence: string;
  readonly world: World | undefined;
}) {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const body = place.current?.closest(".lesson-body");
    const verdict = [...(body?.querySelectorAll<HTMLElement>(".lesson-verdict") ?? [])].at(-1);
    if (body && verdict) body.scrollTop += verdict.getBoundingClientRect().top - topOf(body);
  }, []);
  return (
    <p className="lesson-reveal" data-testid="lesson-reveal" ref={place}>
      <SentenceView sentence={sentence} world={world} />
    </p>
  );
}

/** The y to which the top of a part is scrolled: a little of what precedes it stays in sight. */
function topOf(body: Element): number {
  return body.getBoundingClientRect().top + 8;
}
