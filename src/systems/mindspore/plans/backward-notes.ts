import { sum } from "#core/arithmetic";
import type { Diagnostic } from "#core/diagnostics";
import type { DeviceMesh } from "#core/mesh";
import type { SystemReading } from "#language/document/bindings";
import type { BackwardCollective } from "#systems/system";
import { emittedProgram } from "../emitted/emitted.ts";
import { parallelSetting } from "./parallel-mode.ts";

/**
 * Notes MindSpore's own backward collectives of a training step, since the drawn gradients follow
 * the program's plan; a warning with the reason if they are not known.
 */
export function backwardNotes(
  { trace, built }: Pick<SystemReading, "trace" | "built">,
  mesh: DeviceMesh,
): readonly Diagnostic[] {
  const span = trace.training.find(({ isOfSystem }) => isOfSystem === true)?.span;
  if (span === undefined || (parallelSetting(trace)?.devices ?? 1) < 2) return [];
  const { backward, backwardUnknown = "its loss is not found" } = emittedProgram(
    { trace, built },
    mesh,
    0,
  );
  if (backward === undefined) {
    const message = `not modelled: what MindSpore sends backward, where ${backwardUnknown}: the gradients are drawn as the plan of the board sends them`;
    return [{ code: "mindspore/not-modelled", severity: "warning", message, span }];
  }
  const bytes = sum(backward.map((each) => each.bytes));
  const message = `MindSpore itself sends ${listOf(backward)} in its backward pass, ${bytes} bytes to a rank; the gradients are drawn as the plan of the board sends them`;
  return [{ code: "mindspore/sends-backward", severity: "info", message, span }];
}

/**
 * Lists collectives: `ReduceScatter ×2, and AllReduce ×3 for the gradients of parameters`, or
 * `nothing`.
 */
function listOf(sent: readonly BackwardCollective[]): string {
  const turned = countsOf(sent.filter(({ why }) => why === "turned"));
  const sums = countsOf(sent.filter(({ why }) => why === "gradient"));
  const parts = [turned, sums && `${sums} for the gradients of parameters`];
  return parts.filter((part) => part !== "").join(", and ") || "nothing";
}

function countsOf(sent: readonly BackwardCollective[]): string {
  const counts = new Map<string, number>();
  for (const { op } of sent) counts.set(op, (counts.get(op) ?? 0) + 1);
  return [...counts].map(([op, count]) => (count === 1 ? op : `${op} ×${count}`)).join(", ");
}
