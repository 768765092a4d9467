import { useState } from "react";
import type { ModuleMetric } from "#app/scene/figures";
import { drawn } from "#app/state";
import { Segmented } from "../atoms/Segmented.tsx";
import { useIsAsked } from "../lesson/asked.tsx";
import { useApp } from "../store-context.tsx";
import { Icicle } from "./Icicle.tsx";
import "../styles/timeline.css";

const metrics = [
  ["time", "time"],
  ["bytes", "bytes"],
  ["memory", "memory"],
] as const satisfies readonly (readonly [ModuleMetric, string])[];

/** Foldable section with time, bytes and memory by module. */
export function ModuleTimes() {
  const compiled = useApp(drawn);
  const [wanted, show] = useState<ModuleMetric>("time");
  const isKept = useIsAsked("comm");
  const choices = metrics.filter(([each]) => each !== "bytes" || !isKept);
  const metric = choices.some(([each]) => each === wanted) ? wanted : "time";
  if (compiled === undefined || compiled.graph.operators.length === 0) return null;
  const title = { time: "Time by module", bytes: "Bytes by module", memory: "Memory by module" };
  return (
    <details className="module-times" open data-testid="module-times">
      <summary className="head">
        <h2>{title[metric]}</h2>
        {metric === "time" && (
          <span className="mut end">
            <i className="exposed-mark" aria-hidden="true" /> exposed
          </span>
        )}
      </summary>
      <Segmented label="Figure of the modules" value={metric} choices={choices} onChange={show} />
      <Icicle compiled={compiled} metric={metric} />
    </details>
  );
}
