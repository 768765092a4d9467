import { Fragment, lazy, Suspense, useState } from "react";
import { explainedStep, formatBytes, formatSeconds, hueOf } from "#app/scene";
import type { Compiled } from "#app/state";
import { bytesOf } from "#core/ir";
import type { CollectiveStep, Redistribution } from "#core/program";
import { FiguresRow, FiguresTable } from "../atoms/FiguresTable.tsx";
import { keyed } from "../drawing/keyed.ts";
import { FigureButton } from "../formula/FigureButton.tsx";
import { stepsOf } from "../words.ts";

const PartFormulas = lazy(async () => ({
  default: (await import("../formula/FormulaView.tsx")).PartFormulas,
}));

interface Props {
  readonly compiled: Compiled;
  readonly redistribution: Redistribution;
}

/** A figure of a step whose formula is shown. */
interface OpenFigure {
  readonly step: CollectiveStep;
  readonly metric: "comm" | "time";
}

/** What each step costs, and what cannot be gone below. */
export function StepTable({ compiled, redistribution }: Props) {
  const { tensors } = compiled.program.graph;
  const tensor = tensors.find(({ id }) => id === redistribution.tensor);
  const width = tensor === undefined ? 1 : bytesOf(tensor.dtype);
  const [opened, open] = useState<OpenFigure>();
  const gap = redistribution.elements - redistribution.lowerBound;
  const figureOf = (step: CollectiveStep, metric: OpenFigure["metric"]) => {
    const text = metric === "comm" ? formatBytes(step.bytes) : formatSeconds(step.seconds);
    if (step.collective === "slice") return text;
    const isOpen = opened?.step === step && opened.metric === metric;
    return (
      <FigureButton
        of={`${text} of ${step.collective}`}
        isOpen={isOpen}
        onPress={() => open(isOpen ? undefined : { step, metric })}
      >
        {text}
      </FigureButton>
    );
  };
  return (
    <FiguresTable head={["Step", "per device", "time"]}>
      {keyed(stepsOf(compiled, redistribution)).map(({ key, item: step }) => (
        <Fragment key={key}>
          <FiguresRow
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
            figures={[figureOf(step, "comm"), figureOf(step, "time")]}
          />
          {opened?.step === step && <Opened compiled={compiled} {...opened} />}
        </Fragment>
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

/** Below a step how one of its figures comes about. */
function Opened({ compiled, step, metric }: OpenFigure & Pick<Props, "compiled">) {
  const part = explainedStep(compiled, step, 1, metric);
  return (
    <tr className="opened">
      <td colSpan={3}>
        <Suspense fallback={null}>
          <PartFormulas parts={[part]} unit={metric === "comm" ? "B" : "s"} />
        </Suspense>
      </td>
    </tr>
  );
}
