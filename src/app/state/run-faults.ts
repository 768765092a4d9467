import type { RunReport } from "#app/engine";
import type { TensorId } from "#core/ir";
import type { NodeFault } from "./node-fault.ts";

/** The tensors that the last run found wrong, and of the first where it is. */
export function runFaults({ tensors, cell }: RunReport): ReadonlyMap<TensorId, NodeFault> {
  const wrong = tensors.filter(({ isEqual }) => !isEqual);
  return new Map(
    wrong.map(({ tensor, wrongCount }): [TensorId, NodeFault] => {
      const cells = wrongCount === 1 ? "1 cell is" : `${wrongCount} cells are`;
      const isFirst = cell?.tensor === tensor;
      const step = cell?.step === undefined ? "" : `, made in step ${cell.step + 1}`;
      const place = `[${cell?.index.join(", ")}] on device ${cell?.device}`;
      const where = isFirst ? `, the first of all at ${place}${step}` : "";
      return [tensor, { severity: "error", message: `${cells} wrong in the last run${where}` }];
    }),
  );
}
