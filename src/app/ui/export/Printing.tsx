import { lazy, Suspense, useSyncExternalStore } from "react";
import { PanelBoundary } from "../PanelBoundary.tsx";
import { useApp } from "../store-context.tsx";
import { useLater } from "../use-later.ts";

const PrintPage = lazy(async () => ({
  default: (await import("./PrintPage.tsx")).PrintPage,
}));

const HandoutPage = lazy(async () => ({
  default: (await import("../lesson/HandoutPage.tsx")).HandoutPage,
}));

const load = () => void import("./PrintPage.tsx").catch(() => undefined);

/**
 * Printed page with the plan or the open lesson. Its code is loaded ahead; it is rendered only
 * while printing.
 */
export function Printing() {
  const isPrinting = useSyncExternalStore(subscribe, () => matchMedia("print").matches);
  const hasLesson = useApp((state) => state.lesson !== undefined);
  useLater(quietAfter, load);
  if (!isPrinting) return null;
  return (
    <PanelBoundary name="The print" attempt={isPrinting}>
      <Suspense fallback={null}>{hasLesson ? <HandoutPage /> : <PrintPage />}</Suspense>
    </PanelBoundary>
  );
}

/** Time in milliseconds after the first plan at which the page is painted and its editor loaded. */
const quietAfter = 4000;

function subscribe(changed: () => void): () => void {
  const list = matchMedia("print");
  list.addEventListener("change", changed);
  return () => list.removeEventListener("change", changed);
}
