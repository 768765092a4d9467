import { lazy, Suspense } from "react";
import { useApp } from "../store-context.tsx";

const TextNoteLine = lazy(async () => ({
  default: (await import("./TextNoteLine.tsx")).TextNoteLine,
}));

/** Note about the text on screen; its code is loaded with the first note. */
export function TextNotes() {
  const note = useApp((state) => state.textNote);
  return <Suspense fallback={null}>{note !== undefined && <TextNoteLine note={note} />}</Suspense>;
}
