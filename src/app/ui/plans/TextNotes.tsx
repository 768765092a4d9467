import { lazy, Suspense } from "react";
import { useApp } from "../store-context.tsx";

const TextNoteLine = lazy(async () => ({
  default: (await import("./TextNoteLine.tsx")).TextNoteLine,
}));

/** Notes about the text on screen; their code comes with the first. */
export function TextNotes() {
  const note = useApp((state) => state.textNote);
  return <Suspense fallback={null}>{note !== undefined && <TextNoteLine note={note} />}</Suspense>;
}
