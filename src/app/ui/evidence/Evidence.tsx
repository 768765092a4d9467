import { lazy, Suspense } from "react";
import { useApp } from "../store-context.tsx";

const EvidencePage = lazy(async () => ({
  default: (await import("./EvidencePage.tsx")).EvidencePage,
}));

/** Every measured figure beside the model's, over the whole page while open. */
export function Evidence() {
  const shown = useApp((state) => state.evidence);
  return (
    <Suspense fallback={null}>{shown !== undefined && <EvidencePage shown={shown} />}</Suspense>
  );
}
