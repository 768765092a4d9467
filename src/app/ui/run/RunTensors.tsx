import { Fragment, useEffect, useState } from "react";
import type { InspectResult, RunReport, RunTensor, TensorPart } from "#app/engine";
import { TableHead } from "../atoms/TableHead.tsx";
import { useApp } from "../store-context.tsx";
import { differenceText, relativeText } from "./difference-text.ts";

const partNames: Readonly<Record<TensorPart, string>> = {
  given: "Inputs and parameters",
  forward: "Forward",
  backward: "Backward: gradients",
  update: "Update: new parameters",
};

const parts: readonly TensorPart[] = ["forward", "backward", "update", "given"];

/** Most rows per part of the table; the rest are counted. */
const most = 60;

/** Largest difference of every tensor from the unsharded run; a press shows it per device. */
export function RunTensors({ report }: { readonly report: RunReport }) {
  const [opened, open] = useState<RunTensor["tensor"]>();
  const groups = parts
    .map((part) => [part, report.tensors.filter((each) => each.part === part)] as const)
    .filter(([, tensors]) => tensors.length > 0);
  return (
    <div className="run-part">
      <h3>Difference from the unsharded run</h3>
      <table className="tbl run-tensors" data-testid="run-tensors">
        <TableHead names={["tensor", "greatest", "relative"]} figuresFrom={1} />
        {groups.map(([part, tensors]) => (
          <tbody key={part}>
            <tr className="run-group">
              <th scope="rowgroup" colSpan={3}>
                {partNames[part]}
              </th>
            </tr>
            {wrongFirst(tensors)
              .slice(0, most)
              .map((tensor) => (
                <Fragment key={tensor.tensor}>
                  <TensorRow
                    tensor={tensor}
                    isOpen={opened === tensor.tensor}
                    onPress={() => open(opened === tensor.tensor ? undefined : tensor.tensor)}
                  />
                  {opened === tensor.tensor && <DeviceRows tensor={tensor} />}
                </Fragment>
              ))}
            {tensors.length > most && (
              <tr className="mut">
                <td colSpan={3}>and {tensors.length - most} more, all equal or as above</td>
              </tr>
            )}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function wrongFirst(tensors: readonly RunTensor[]): readonly RunTensor[] {
  return [...tensors.filter((each) => !each.isEqual), ...tensors.filter((each) => each.isEqual)];
}

interface RowProps {
  readonly tensor: RunTensor;
  readonly isOpen: boolean;
  readonly onPress: () => void;
}

function TensorRow({ tensor, isOpen, onPress }: RowProps) {
  const { name, isEqual, maxAbsDiff, maxRelDiff, wrongCount } = tensor;
  return (
    <tr className={isEqual ? undefined : "run-wrong"} data-tensor={name} data-equal={isEqual}>
      <td>
        <button type="button" className="lk mono" aria-expanded={isOpen} onClick={onPress}>
          {name}
        </button>
        {!isEqual && <span className="run-count"> {wrongCount} wrong</span>}
      </td>
      <td className="n">{differenceText(maxAbsDiff)}</td>
      <td className="n">{relativeText(maxRelDiff, maxAbsDiff)}</td>
    </tr>
  );
}

/** Differences per device, requested from the worker when the row is opened. */
function DeviceRows({ tensor }: Pick<RowProps, "tensor">) {
  const look = useApp((state) => state.lookAtRun);
  const [seen, setSeen] = useState<InspectResult>();
  useEffect(() => {
    let isWanted = true;
    void look({ kind: "tensor", tensor: tensor.tensor }).then((next) => {
      if (isWanted) setSeen(next);
    });
    return () => {
      isWanted = false;
    };
  }, [look, tensor]);
  if (seen?.kind === "nothing") {
    return (
      <tr className="mut">
        <td colSpan={3}>{seen.why}</td>
      </tr>
    );
  }
  if (seen?.kind !== "tensor") return null;
  return seen.devices.map(({ device, maxAbsDiff, maxRelDiff, wrongCount }) => (
    <tr key={device} className="run-device" data-device={device}>
      <td>
        device {device}
        {wrongCount > 0 && <span className="run-count"> {wrongCount} wrong</span>}
      </td>
      <td className="n">{differenceText(maxAbsDiff)}</td>
      <td className="n">{relativeText(maxRelDiff, maxAbsDiff)}</td>
    </tr>
  ));
}
