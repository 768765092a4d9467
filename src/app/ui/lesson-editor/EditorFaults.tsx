import { useMemo } from "react";
import { lessonFaults } from "#app/lessons";
import { keyed } from "../drawing/keyed.ts";
import { useApp } from "../store-context.tsx";

/** Faults that are listed. */
const mostListed = 12;

/**
 * The faults of a lesson: of its form, and of its statements about its texts once those are
 * compiled.
 */
export function EditorFaults({ faults }: { readonly faults: readonly string[] }) {
  const opened = useApp((state) => state.lesson);
  const untrue = useMemo(() => {
    const isWhole = opened && opened.texts.size === Object.keys(opened.lesson.texts).length;
    return isWhole ? lessonFaults(opened.lesson, opened.texts) : undefined;
  }, [opened]);
  const all = faults.length > 0 ? faults : untrue;
  const head =
    faults.length > 0
      ? "This is no lesson yet; the right side shows the last version that could be read."
      : all === undefined
        ? "Working it out"
        : all.length === 0
          ? "The lesson is sound: its solutions meet its goals, its starts do not, all figures are known."
          : "It can be read, but not all of it is true:";
  return (
    <section className="lesson-faults" aria-label="What is wrong">
      <p role="status" data-testid="lesson-faults" data-count={all?.length}>
        {head}
      </p>
      <ul>
        {keyed((all ?? []).slice(0, mostListed)).map(({ key, item }) => (
          <li key={key}>{item}</li>
        ))}
        {(all?.length ?? 0) > mostListed && <li>and {(all?.length ?? 0) - mostListed} more</li>}
      </ul>
    </section>
  );
}
