import { lazy, Suspense } from "react";
import { useApp } from "../store-context.tsx";

const Welcome = lazy(async () => ({ default: (await import("./Welcome.tsx")).Welcome }));

/** The welcome of a first visit; other visits never load its code. */
export function FirstVisit() {
  const isShown = useApp((state) => state.isWelcomeShown && state.mode === "whole");
  if (!isShown) return null;
  return (
    <Suspense fallback={<section className="welcome" aria-label="Welcome" />}>
      <Welcome />
    </Suspense>
  );
}
