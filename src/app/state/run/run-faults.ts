import type { RunReport } from "#app/engine";
import type { TensorId } from "#core/ir";
import type { DeviceId } from "#core/mesh";
import type { AppState } from "../app-state.ts";
import type { NodeFault } from "./node-fault.ts";

/** The tensors that are wrong in the last run; the message of the first one gives the place. */
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

/** The devices on which a tensor is wrong. */
export type WrongDevices = ReadonlySet<DeviceId>;

type AllWrong = ReadonlyMap<TensorId, WrongDevices>;

const none: AllWrong = new Map();
const known = new WeakMap<RunReport, AllWrong>();

/** For each wrong tensor, the devices with wrong cells in the last run. */
export function wrongDevices({ run }: Pick<AppState, "run">): AllWrong {
  if (run.kind !== "done" || run.verdict.kind !== "different") return none;
  const { verdict } = run;
  const found = known.get(verdict) ?? wrongIn(verdict);
  known.set(verdict, found);
  return found;
}

function wrongIn({ tensors }: RunReport): AllWrong {
  const wrong = tensors.filter((each) => each.wrongDevices.length > 0);
  return new Map(wrong.map((each) => [each.tensor, new Set(each.wrongDevices)]));
}
