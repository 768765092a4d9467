import { drawn } from "#app/state";
import { CostTable } from "../compare/CostTable.tsx";
import { useApp } from "../store-context.tsx";
import { Deltas } from "./Deltas.tsx";
import { CommMeter, MemoryMeter, TimeMeter } from "./Meters.tsx";

/** Memory, communication and time of the plan, and what the last edit changed. */
export function Hud() {
  const compiled = useApp(drawn);
  return (
    <>
      <section className="hud" aria-label="Cost">
        <MemoryMeter compiled={compiled} />
        <CommMeter compiled={compiled} />
        <TimeMeter compiled={compiled} />
        <Deltas compiled={compiled} />
      </section>
      <CostTable compiled={compiled} />
    </>
  );
}
