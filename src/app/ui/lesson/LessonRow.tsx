import { Check } from "lucide-react";
import { challenges, type Lesson, lessons, type Progress } from "#app/lessons";
import "./lesson.css";
import { Icon } from "../atoms/Icon.tsx";
import { useActions, useApp } from "../store-context.tsx";
import { useLateDesk } from "./lesson-desk.ts";
import { lessonNumber } from "./lesson-number.ts";
import { ProgressTools } from "./ProgressTools.tsx";

/** The lessons and challenges, as rows of cards above the examples. */
export function LessonRow({ words }: { readonly words: string }) {
  const desk = useLateDesk();
  const progress = desk?.progress();
  const [learnt, tried] = [lessons, challenges].map((all) =>
    all.filter((each) => has(each, words)),
  );
  const hasAny = (learnt?.length ?? 0) + (tried?.length ?? 0) > 0;
  if (!hasAny) return null;
  return (
    <>
      <Cards title="Lessons" all={learnt ?? []} progress={progress} />
      <Cards title="Challenges" all={tried ?? []} progress={progress} />
      {words.trim() === "" && desk !== undefined && <ProgressTools desk={desk} />}
    </>
  );
}

function has({ title, chapter, words: terms }: Lesson, words: string): boolean {
  const text = ["lesson", title, chapter, ...terms].join(" ").toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => text.includes(word));
}

interface Props {
  readonly title: string;
  readonly all: readonly Lesson[];
  readonly progress: Progress | undefined;
}

function Cards({ title, all, progress }: Props) {
  const { openLesson } = useActions();
  const open = useApp((state) => state.openGallery);
  const endWelcome = useApp((state) => state.endWelcome);
  if (all.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul className="lesson-cards">
        {all.map((lesson) => (
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
              <span className="num mut">{lessonNumber(lesson)}</span>
              <b>{lesson.title}</b>
              <span className="mut">
                {lesson.minutes} minutes
                <Reached lesson={lesson} progress={progress} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Reached({ lesson, progress }: Pick<Props, "progress"> & { readonly lesson: Lesson }) {
  const stars = progress?.stars.get(lesson.id);
  if (stars !== undefined) return `, ${stars} of 3 stars`;
  if (progress?.done.has(lesson.id) !== true) return null;
  return (
    <>
      , done <Icon icon={Check} size={14} />
    </>
  );
}
