import { lazy, Suspense, useSyncExternalStore } from "react";
import { PanelBoundary } from "../PanelBoundary.tsx";
import { useLater } from "../use-later.ts";

const PrintPage = lazy(async () => ({
  default: (await import("./PrintPage.tsx")).PrintPage,
}));

const load = () => void import("./PrintPage.tsx").catch(() => undefined);

/** What is printed, once the page has had time to fetch it; nothing of it is there otherwise. */
export function Printing() {
  const isPrinting = useSyncExternalStore(subscribe, () => matchMedia("print").matches);
  useLater(quietAfter, load);
  if (!isPrinting) return null;
  return (
    <PanelBoundary name="The print" attempt={isPrinting}>
      <Suspense fallback={null}>
        <PrintPage />
      </Suspense>
    </PanelBoundary>
  );
}

/** By then the page has been painted and has its editor, in milliseconds. */
const quietAfter = 4000;

function subscribe(changed: () => void): () => void {
  const list = matchMedia("print");
  list.addEventListener("change", changed);
  return () => list.removeEventListener("change", changed);
}
