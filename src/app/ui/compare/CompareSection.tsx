import { useState } from "react";
import { type Metric, totalFormula } from "#app/scene/text";
import type { Compiled } from "#compile";
import { Segmented } from "../atoms/Segmented.tsx";
import { FormulaView } from "../formula/FormulaView.tsx";
import { Unasked } from "../lesson/asked.tsx";
import { WaterfallView } from "../timeline/WaterfallView.tsx";
import { BaselineButtons } from "./BaselineButtons.tsx";
import { BaselineName } from "./BaselineName.tsx";
import { metrics } from "./metrics.ts";
import { PartsTable } from "./PartsTable.tsx";
import { PlansTable } from "./PlansTable.tsx";

/** The comparison table as a section of the costs, for screens without a cost bar. */
export function CompareSection({ compiled }: { readonly compiled: Compiled }) {
  const [metric, show] = useState<Metric>("comm");
  return (
    <div className="compare-section">
      <h3>What the numbers are made of</h3>
      <Segmented label="Number" value={metric} choices={metrics} onChange={show} />
      <PlansTable compiled={compiled} />
      <Unasked of={metric}>
        <WaterfallView compiled={compiled} metric={metric} />
        <FormulaView formula={totalFormula(compiled, metric)} />
        <PartsTable compiled={compiled} metric={metric} />
      </Unasked>
      <div className="cost-foot">
        <BaselineName />
        <BaselineButtons />
      </div>
    </div>
  );
}
