import type { Diagnostic, Span } from "#core/diagnostics";
import { append } from "#core/records";
import type { AssignedPiece, Level } from "#language/document/trace";
import { leavesOf, type PolicyNode } from "./policy-node.ts";
import type { PolicyRun } from "./policy-run.ts";

/** The levels of a node's partition, with its pieces and their devices. */
export interface Cutting {
  readonly levels: readonly Level[];
  readonly pieces: readonly AssignedPiece[];
}

/**
 * Extends the partition of an operator that runs on some of the devices: it is cut over its own
 * devices and repeated over the others, so that a pipeline stage shows its tensor parallelism.
 * Unchanged if it uses all devices, or cannot be repeated evenly.
 *
 * @param devices all devices of the plan, in order
 */
export function repeatedOverAll(cutting: Cutting, devices: readonly number[]): Cutting {
  const { levels, pieces } = cutting;
  const own = [...new Set(pieces.flatMap((piece) => piece.devices))].sort((a, b) => a - b);
  const repeats = devices.length / own.length;
  const isOne = pieces.every((piece) => piece.devices.length === 1);
  if (repeats === 1 || !Number.isInteger(repeats) || !isOne) return cutting;
  const copies = Array.from({ length: repeats }, (_, copy) =>
    pieces.map((piece): AssignedPiece => {
      const at = own.indexOf(piece.devices[0] ?? 0);
      const device = devices[copy * own.length + at] ?? 0;
      return { path: [copy, ...piece.path], devices: [device] };
    }),
  );
  return { levels: [{ count: repeats, isRepeated: true }, ...levels], pieces: copies.flat() };
}

/** Whether operators of a policy run on different devices, as the stages of a pipeline do. */
export function isStaged(nodes: readonly PolicyNode[], { stagedAt }: PolicyRun): boolean {
  return stagedAt !== undefined || new Set(nodes.map(deviceList).filter(Boolean)).size > 1;
}

function deviceList(node: PolicyNode): string {
  const devices = leavesOf(node).flatMap((leaf) => leaf.devices);
  return [...new Set(devices)].sort((a, b) => a - b).join(", ");
}

/** The warning that a plan has stages: the operators of each stage, and how they are drawn. */
export function stagesSaid(nodes: readonly PolicyNode[], run: PolicyRun, place: Span): Diagnostic {
  const parts = new Map<string, PolicyNode[]>();
  for (const node of nodes) {
    const devices = deviceList(node);
    if (devices !== "") append(parts, devices, node);
  }
  const listed = [...parts].map(
    ([devices, held]) => `${held.map(({ name }) => name).join(", ")} on ${devicesText(devices)}`,
  );
  const what = run.stagedAt === undefined ? "Operators run on different devices" : "A pipeline";
  const isRefused = !run.isEndToEnd;
  const need = isRefused ? " nnScaler needs ComputeConfig(…, use_end2end=True) for it." : "";
  const end =
    "What each splits among its own devices is drawn, repeated over all; what is sent from one to the next is not";
  return {
    code: "nnscaler/pipeline",
    severity: "warning",
    message: `${what}: ${listed.join("; ")}.${need} ${end}`,
    span: run.stagedAt ?? place,
    ...(isRefused && { upstream: "RuntimeError" }),
  };
}

function devicesText(devices: string): string {
  return devices.includes(",") ? `devices ${devices}` : `device ${devices}`;
}
