import { lazy, Suspense } from "react";

const StarterChoices = lazy(async () => ({
  default: (await import("./StarterChoices.tsx")).StarterChoices,
}));

/** Shown where there is no program: how one begins. */
export function Starters() {
  return (
    <Suspense fallback={null}>
      <StarterChoices />
    </Suspense>
  );
}
