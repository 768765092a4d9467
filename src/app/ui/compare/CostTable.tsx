import { X } from "lucide-react";
import { useRef } from "react";
import { totalFormula } from "#app/scene/text";
import type { Compiled } from "#compile";
import { IconButton } from "../atoms/IconButton.tsx";
import { Segmented } from "../atoms/Segmented.tsx";
import { ErrorWords } from "../evidence/StatedError.tsx";
import { FormulaView } from "../formula/FormulaView.tsx";
import { StepFigures } from "../hud/StepFigures.tsx";
import { Unasked } from "../lesson/asked.tsx";
import { MemoryCurve } from "../memory/MemoryCurve.tsx";
import { RecomputeChoice } from "../memory/RecomputeChoice.tsx";
import { useApp } from "../store-context.tsx";
import { ItemsTable } from "../timeline/ItemsTable.tsx";
import { WaterfallView } from "../timeline/WaterfallView.tsx";
import { useFocusBack } from "../use-focus-back.ts";
import { BaselineButtons } from "./BaselineButtons.tsx";
import { BaselineName } from "./BaselineName.tsx";
import { metrics } from "./metrics.ts";
import { PartsTable } from "./PartsTable.tsx";
import { PlansTable } from "./PlansTable.tsx";

/** Parts of the pressed cost number, above the cost bar; they are highlighted on the canvas. */
export function CostTable({ compiled }: { readonly compiled: Compiled | undefined }) {
  const metric = useApp((state) => state.metric);
  const open = useApp((state) => state.openTable);
  const panel = useRef<HTMLElement>(null);
  useFocusBack(panel, metric !== undefined);
  if (metric === undefined || compiled === undefined) return null;
  return (
    <section
      ref={panel}
      className="cost-table"
      aria-label="What the numbers are made of"
      data-testid="cost-table"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === "Escape") open(undefined);
      }}
    >
      <div className="cost-head">
        <Segmented label="Number" value={metric} choices={metrics} onChange={open} />
        <IconButton icon={X} name="Close" onClick={() => open(undefined)} />
      </div>
      <div className="cost-parts">
        <PlansTable compiled={compiled} />
        <Unasked of={metric}>
          {metric === "memory" && (
            <>
              <MemoryCurve compiled={compiled} />
              <RecomputeChoice compiled={compiled} />
            </>
          )}
          <FormulaView formula={totalFormula(compiled, metric)} />
          {metric === "time" && <StepFigures compiled={compiled} />}
          <WaterfallView compiled={compiled} metric={metric} />
          <ItemsTable key={metric} compiled={compiled} by={metric === "comm" ? "bytes" : metric} />
          {metric !== "comm" && <ErrorWords compiled={compiled} of={metric} />}
          <PartsTable compiled={compiled} metric={metric} />
        </Unasked>
      </div>
      <div className="cost-foot">
        <BaselineName />
        <BaselineButtons />
      </div>
    </section>
  );
}
