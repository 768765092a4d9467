import { lazy, Suspense, useEffect, useState } from "react";
import { publishedProgram } from "#app/state";
import { useApp } from "../store-context.tsx";
import { ReadingNote } from "./ReadingNote.tsx";

const PublishedNote = lazy(async () => ({
  default: (await import("./PublishedNote.tsx")).PublishedNote,
}));

/** Milliseconds of reading before its progress is shown. */
const unsaidMilliseconds = 400;

/**
 * The note on a published file while its program is on screen, and the progress of a long reading.
 */
export function PublishedNotes() {
  const made = useApp(publishedProgram);
  const reading = useApp(({ published }) => (published.kind === "reading" ? published : undefined));
  const isLong = useIsLong(reading !== undefined);
  return (
    <>
      {reading !== undefined && isLong && <ReadingNote {...reading} />}
      <Suspense fallback={null}>{made !== undefined && <PublishedNote made={made} />}</Suspense>
    </>
  );
}

function useIsLong(isOn: boolean): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (!isOn) return;
    const timer = setTimeout(() => setLong(true), unsaidMilliseconds);
    return () => clearTimeout(timer);
  }, [isOn]);
  return isLong;
}
