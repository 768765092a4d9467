import { useLessonDesk } from "./lesson-desk.ts";
import { lessonAfter } from "./lesson-number.ts";
import { ResultLink } from "./ResultLink.tsx";
import type { LessonView } from "./use-lesson.ts";

interface Props {
  readonly view: LessonView;
  /** Whether the step's question is answered and its goal is met. */
  readonly isDone: boolean;
}

/** The ways on from here, and help. */
export function LessonFoot({ view, isDone }: Props) {
  const { lesson, at } = view.opened;
  const { goTo, reset } = useLessonDesk();
  const isLast = at === lesson.steps.length - 1;
  return (
    <>
      <div className="lesson-row lesson-foot">
        {isDone ? <Onward view={view} /> : <Help view={view} />}
        {at > 0 && (
          <button type="button" className="btn line" onClick={() => goTo(at - 1)}>
            Step back
          </button>
        )}
        <button type="button" className="btn line" onClick={reset}>
          Reset this step
        </button>
        {!isDone && !isLast && (
          <button type="button" className="btn" onClick={() => goTo(at + 1)}>
            Skip
          </button>
        )}
      </div>
      {isDone && isLast && <ResultLink opened={view.opened} />}
    </>
  );
}

/** The button to the next step, or from the last one to the next lesson. */
function Onward({ view: { opened } }: Pick<Props, "view">) {
  const { lesson, at } = opened;
  const { goTo, open, leave, finish } = useLessonDesk();
  if (at < lesson.steps.length - 1) {
    return (
      <button type="button" className="btn solid" onClick={() => goTo(at + 1)}>
        Go on
      </button>
    );
  }
  // A lesson from a link has no next one.
  const next = lessonAfter(lesson);
  const go = () => {
    finish();
    if (next === undefined) leave();
    else open(next.id);
  };
  return (
    <button type="button" className="btn solid" onClick={go}>
      {next === undefined ? "Finish" : `Next lesson: ${next.title}`}
    </button>
  );
}

/** Hints one by one; after the last one, a solution. */
function Help({ view: { opened, isElsewhere } }: Pick<Props, "view">) {
  const { lesson, at, hints, answers } = opened;
  const { showHint, showText } = useLessonDesk();
  const step = lesson.steps[at];
  if (step === undefined) return null;
  if (hints < step.hints.length) {
    return (
      <button type="button" className="btn line" onClick={showHint}>
        {hints === 0 ? "Hint" : "Another hint"}
      </button>
    );
  }
  const { act, ask } = step;
  const isAsked = ask !== undefined && !answers.has(at);
  if (act === undefined || act.solved !== undefined || isAsked || isElsewhere) return null;
  return (
    <button type="button" className="btn line" onClick={() => showText(act.solution)}>
      Show a solution
    </button>
  );
}
