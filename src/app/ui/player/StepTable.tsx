import { Fragment, lazy, Suspense, useState } from "react";
import { hueOf } from "#app/scene";
import { explainedStep } from "#app/scene/text";
import type { Compiled } from "#compile";
import type { CollectiveStep, Redistribution } from "#core/program";
import { FiguresRow, FiguresTable } from "../atoms/FiguresTable.tsx";
import { keyed } from "../drawing/keyed.ts";
import { FigureButton } from "../formula/FigureButton.tsx";
import { type StepCell, stepTable } from "./step-columns.ts";

const PartFormulas = lazy(async () => ({
  default: (await import("../formula/FormulaView.tsx")).PartFormulas,
}));

interface Props {
  readonly compiled: Compiled;
  readonly redistribution: Redistribution;
}

/** The figure of a step whose formula is open. */
interface OpenFigure {
  readonly step: CollectiveStep;
  readonly metric: "comm" | "time";
}

/** The costs of each step, and the lower bound. */
export function StepTable({ compiled, redistribution }: Props) {
  const [opened, open] = useState<OpenFigure>();
  const { head, rows, bound } = stepTable(compiled, redistribution);
  const figureOf = (step: CollectiveStep, { text, opens }: StepCell) => {
    if (opens === undefined) return text;
    const isOpen = opened?.step === step && opened.metric === opens;
    return (
      <FigureButton
        of={`${text} of ${step.collective}`}
        isOpen={isOpen}
        onPress={() => open(isOpen ? undefined : { step, metric: opens })}
      >
        {text}
      </FigureButton>
    );
  };
  return (
    <FiguresTable head={head}>
      {keyed(rows).map(({ key, item: { step, cells } }) => (
        <Fragment key={key}>
          <FiguresRow
            tone="on"
            name={<StepName compiled={compiled} place={key + 1} step={step} />}
            figures={cells.map((cell) => figureOf(step, cell))}
          />
          {opened?.step === step && (
            <Opened compiled={compiled} {...opened} columns={head.length} />
          )}
        </Fragment>
      ))}
      <FiguresRow tone="mut" name="Lower bound" data-testid="lower-bound" figures={bound} />
    </FiguresTable>
  );
}

/** `1 all-gather mp`, the axes in their hues. */
function StepName({
  compiled,
  place,
  step,
}: Pick<Props, "compiled"> & { readonly place: number; readonly step: CollectiveStep }) {
  return (
    <>
      {place} {step.collective}{" "}
      {step.axes.map((axis) => (
        <b key={axis} className={`tk a${hueOf(compiled.mesh.mesh, axis)}`}>
          {axis}{" "}
        </b>
      ))}
    </>
  );
}

/** The formula of a figure, below its step. */
function Opened({
  compiled,
  step,
  metric,
  columns,
}: OpenFigure & Pick<Props, "compiled"> & { readonly columns: number }) {
  const part = explainedStep(compiled, step, 1, metric);
  return (
    <tr className="opened">
      <td colSpan={columns}>
        <Suspense fallback={null}>
          <PartFormulas parts={[part]} unit={metric === "comm" ? "B" : "s"} />
        </Suspense>
      </td>
    </tr>
  );
}
