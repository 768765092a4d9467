import { lazy, Suspense } from "react";

const StarterChoices = lazy(async () => ({
  default: (await import("./StarterChoices.tsx")).StarterChoices,
}));

/** Start of an empty program. */
export function Starters() {
  return (
    <Suspense fallback={null}>
      <StarterChoices />
    </Suspense>
  );
}
