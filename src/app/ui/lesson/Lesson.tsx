import { lazy, Suspense } from "react";
import { PanelBoundary } from "../PanelBoundary.tsx";
import { useApp } from "../store-context.tsx";

const LessonPanel = lazy(async () => ({
  default: (await import("./LessonPanel.tsx")).LessonPanel,
}));

/** The open lesson. Its code is loaded only for lessons. */
export function Lesson() {
  const lesson = useApp((state) => state.lesson?.lesson);
  if (lesson === undefined) return null;
  return (
    <PanelBoundary name="The lesson" attempt={lesson}>
      <Suspense fallback={<section className="lesson" aria-label="Lesson" />}>
        <LessonPanel />
      </Suspense>
    </PanelBoundary>
  );
}
