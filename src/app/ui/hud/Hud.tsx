import { lazy, Suspense } from "react";
import { drawn } from "#app/state";
import { useApp } from "../store-context.tsx";
import { Deltas } from "./Deltas.tsx";
import { CommMeter, MemoryMeter, TimeMeter } from "./Meters.tsx";

const CostTable = lazy(async () => ({
  default: (await import("../compare/CostTable.tsx")).CostTable,
}));

/** Cost bar: memory, communication and time of the plan, and the changes by the last edit. */
export function Hud() {
  const compiled = useApp(drawn);
  const isOpen = useApp((state) => state.metric !== undefined);
  return (
    <>
      <section className="hud" aria-label="Cost">
        <MemoryMeter compiled={compiled} />
        <CommMeter compiled={compiled} />
        <TimeMeter compiled={compiled} />
        <Deltas compiled={compiled} />
      </section>
      <Suspense fallback={null}>{isOpen && <CostTable compiled={compiled} />}</Suspense>
    </>
  );
}
