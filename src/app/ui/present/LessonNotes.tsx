import { LessonHow } from "../lesson/LessonHow.tsx";
import { LessonDeskProvider, useLateDesk } from "../lesson/lesson-desk.ts";
import { SentenceView } from "../lesson/SentenceView.tsx";
import { useLesson } from "../lesson/use-lesson.ts";

/** Speaker notes: the text of the lesson's step. */
export function LessonNotes() {
  const desk = useLateDesk();
  return (
    desk && (
      <LessonDeskProvider value={desk}>
        <Said />
      </LessonDeskProvider>
    )
  );
}

function Said() {
  const view = useLesson();
  const step = view?.opened.lesson.steps[view.opened.at];
  if (view === undefined || step === undefined) return null;
  return (
    <aside className="present-notes" aria-label="Speaker's notes">
      <SentenceView sentence={step.say} world={view.world} />
      <LessonHow how={step.how} world={view.world} />
    </aside>
  );
}
