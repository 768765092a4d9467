import { formatBytes, formatSeconds, hueOf } from "#app/scene";
import type { Compiled } from "#app/state";
import { bytesOf } from "#core/ir";
import type { Redistribution } from "#core/program";
import { FiguresRow, FiguresTable } from "../atoms/FiguresTable.tsx";
import { keyed } from "../drawing/keyed.ts";
import { stepsOf } from "../words.ts";

interface Props {
  readonly compiled: Compiled;
  readonly redistribution: Redistribution;
}

/** What each step costs, and what cannot be gone below. */
export function StepTable({ compiled, redistribution }: Props) {
  const { tensors } = compiled.program.graph;
  const tensor = tensors.find(({ id }) => id === redistribution.tensor);
  const width = tensor === undefined ? 1 : bytesOf(tensor.dtype);
  const gap = redistribution.elements - redistribution.lowerBound;
  return (
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
}
