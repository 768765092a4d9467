import { lazy, Suspense } from "react";
import { useApp } from "../store-context.tsx";

const EvidencePage = lazy(async () => ({
  default: (await import("./EvidencePage.tsx")).EvidencePage,
}));

/** Full-page overlay with every measured figure beside the model's. */
export function Evidence() {
  const shown = useApp((state) => state.evidence);
  return (
    <Suspense fallback={null}>{shown !== undefined && <EvidencePage shown={shown} />}</Suspense>
  );
}
