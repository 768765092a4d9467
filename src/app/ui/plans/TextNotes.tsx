import { lazy, Suspense } from "react";
import { useApp } from "../store-context.tsx";

const TextNoteLine = lazy(async () => ({
  default: (await import("./TextNoteLine.tsx")).TextNoteLine,
}));

/** What has to be said of the text on screen; its code comes when there is something. */
export function TextNotes() {
  const note = useApp((state) => state.textNote);
  return <Suspense fallback={null}>{note !== undefined && <TextNoteLine note={note} />}</Suspense>;
}
