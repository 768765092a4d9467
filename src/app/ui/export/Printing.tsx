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
 * The printed page: the plan or the open lesson. Its code is fetched ahead; nothing is rendered
 * unless printing.
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

/** Milliseconds after which the page has been painted and its editor has loaded. */
const quietAfter = 4000;

function subscribe(changed: () => void): () => void {
  const list = matchMedia("print");
  list.addEventListener("change", changed);
  return () => list.removeEventListener("change", changed);
}
