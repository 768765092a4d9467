import { lazy, Suspense } from "react";
import { publishedProgram } from "#app/state";
import { useApp } from "../store-context.tsx";

const PublishedNote = lazy(async () => ({
  default: (await import("./PublishedNote.tsx")).PublishedNote,
}));

/** What was read of a published file, as long as the text is the one that was made of it. */
export function PublishedNotes() {
  const made = useApp(publishedProgram);
  return <Suspense fallback={null}>{made !== undefined && <PublishedNote made={made} />}</Suspense>;
}
