import { useEffect } from "react";
import { formatBytes, formatSeconds, hueOf } from "#app/scene";
import type { Compiled, EdgeComparison } from "#app/state";
import { bytesOf } from "#core/ir";
import type { Redistribution } from "#core/program";
import { FiguresRow, FiguresTable } from "../atoms/FiguresTable.tsx";
import { keyed } from "../drawing/keyed.ts";
import { useApp } from "../store-context.tsx";
import { stepsOf } from "../words.ts";
import { Sequences } from "./Sequences.tsx";

interface Props {
  readonly compiled: Compiled;
  readonly redistribution: Redistribution;
}

/** What each step costs, what cannot be gone below, and what other systems would send. */
export function StepTable({ compiled, redistribution }: Props) {
  const { tensors } = compiled.program.graph;
  const tensor = tensors.find(({ id }) => id === redistribution.tensor);
  const width = tensor === undefined ? 1 : bytesOf(tensor.dtype);
  const comparison = useComparison(redistribution);
  const gap = redistribution.elements - redistribution.lowerBound;
  const steps = (
    <FiguresTable head={["Step", "per device", "time"]}>
      {keyed(stepsOf(compiled, redistribution)).map(({ key, item: step }) => (
        <FiguresRow
          key={key}
          tone="on"
          name={
            <>
              {key + 1} {step.collective}{" "}
              {step.axes.map((axis) => (
                <b key={axis} className={`tk a${hueOf(compiled.mesh.mesh, axis)}`}>
                  {axis}{" "}
                </b>
              ))}
            </>
          }
          figures={[formatBytes(step.bytes), formatSeconds(step.seconds)]}
        />
      ))}
      <FiguresRow
        tone="mut"
        name="Lower bound"
        data-testid="lower-bound"
        figures={[
          formatBytes(redistribution.lowerBound * width),
          gap <= 0 ? "met" : `gap ${formatBytes(gap * width)}`,
        ]}
      />
    </FiguresTable>
  );
  return (
    <>
      {steps}
      {comparison !== undefined && (
        <Sequences redistribution={redistribution} comparison={comparison} />
      )}
    </>
  );
}

/** The sequences that there are; of the same edge before the edit until the answer comes. */
function useComparison(redistribution: Redistribution): EdgeComparison | undefined {
  const policies = useApp((state) => state.policies);
  const ask = useApp((state) => state.askPolicies);
  useEffect(() => void ask(redistribution), [ask, redistribution]);
  return policies?.of.index === redistribution.index ? policies : undefined;
}
