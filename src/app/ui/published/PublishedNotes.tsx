import { lazy, Suspense, useEffect, useState } from "react";
import { publishedProgram } from "#app/state";
import { useApp } from "../store-context.tsx";
import { ReadingNote } from "./ReadingNote.tsx";

const PublishedNote = lazy(async () => ({
  default: (await import("./PublishedNote.tsx")).PublishedNote,
}));

/** Time in milliseconds below which reading a file shows no progress. */
const unsaidMilliseconds = 400;

/**
 * Notes on a published file, as long as the text is the one made from it, and the progress of a
 * long reading.
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
