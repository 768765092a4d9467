import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { PanelBoundary } from "../PanelBoundary.tsx";

const PrintPage = lazy(async () => ({
  default: (await import("./PrintPage.tsx")).PrintPage,
}));

/** What is printed, once the page has had time to fetch it; nothing of it is there otherwise. */
export function Printing() {
  const [isReady, setReady] = useState(false);
  const isPrinting = useSyncExternalStore(subscribe, () => matchMedia("print").matches);
  useEffect(() => {
    if (isReady) return;
    const handle = setTimeout(() => {
      void import("./PrintPage.tsx").then(() => setReady(true));
    }, quietAfter);
    return () => clearTimeout(handle);
  }, [isReady]);
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
