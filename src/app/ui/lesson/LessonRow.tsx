import { Check } from "lucide-react";
import { lessons } from "#app/lessons";
import "./lesson.css";
import { Icon } from "../atoms/Icon.tsx";
import { useActions, useApp } from "../store-context.tsx";
import { useLateDesk } from "./lesson-desk.ts";

/** The lessons, by number: a row of cards above the examples. */
export function LessonRow({ words }: { readonly words: string }) {
  const { openLesson } = useActions();
  const open = useApp((state) => state.openGallery);
  const endWelcome = useApp((state) => state.endWelcome);
  const done = useLateDesk()?.done();
  const wanted = words.toLowerCase().split(/\s+/u).filter(Boolean);
  const shown = lessons.filter(({ title, chapter, words: terms }) => {
    const text = ["lesson", title, chapter, ...terms].join(" ").toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  if (shown.length === 0) return null;
  return (
    <section>
      <h3>Lessons</h3>
      <ul className="lesson-cards">
        {shown.map((lesson) => (
          <li key={lesson.id}>
            <button
              type="button"
              data-testid={`lesson-card-${lesson.id}`}
              onClick={() => {
                open(false);
                endWelcome();
                openLesson(lesson.id);
              }}
            >
              <span className="num mut">{lessons.indexOf(lesson) + 1}</span>
              <b>{lesson.title}</b>
              <span className="mut">
                {lesson.minutes} minutes
                {done?.has(lesson.id) === true && (
                  <>
                    , done <Icon icon={Check} size={14} />
                  </>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
