import type { Diagnostic, Span } from "#core/diagnostics";
import { append } from "#core/records";
import type { GraphValue } from "./graph-values.ts";
import type { PolicyNode } from "./policy-node.ts";
import type { PolicyRun } from "./policy-run.ts";

/**
 * A piece of an operator that reads a weight: the piece, the part of the weight, and the device.
 */
interface WeightReader {
  /** Identifies the piece; equal for copies of one piece. */
  readonly piece: string;
  readonly part: string;
  readonly device: number;
}

/**
 * Warnings for weights shared by operators on different devices whose gradients nnScaler could not
 * accumulate. The readers of each part must be the same on all of its devices, or all different
 * (`IRAdapterGener.gen_weight`, release 0.8).
 */
export function stagedWeights(run: PolicyRun, place: Span): readonly Diagnostic[] {
  const weights = run.nodes.values.values.filter(
    ({ tensor, producer }) => tensor.role === "parameter" && producer === undefined,
  );
  return weights
    .filter((weight) => isMixed(weight, run))
    .map(({ tensor }): Diagnostic => {
      const name = tensor.name?.text ?? "a weight";
      return {
        code: "nnscaler/needs-multiref",
        severity: "warning",
        message: `The weight consumers can either be ALL replicated or ALL partitioned: of "${name}" some are one and some the other; call graph.multiref for it`,
        upstream: "RuntimeError",
        span: place,
      };
    });
}

function isMixed(weight: GraphValue, { nodes }: PolicyRun): boolean {
  const readers = weight.consumers.flatMap((node, at) => {
    const operand = nodes.values.inputsOf(node).indexOf(weight);
    return readersIn(node, operand, `${at}`);
  });
  const parts = new Set(readers.map(({ part }) => part));
  return [...parts].some((part) => !canBeAddedUp(readers.filter((each) => each.part === part)));
}

function canBeAddedUp(readers: readonly WeightReader[]): boolean {
  const held = new Map<number, string[]>();
  for (const { device, piece } of readers) append(held, device, piece);
  const sets = [...held.values()].map((pieces) => pieces.sort().join());
  const areCopies = new Set(sets).size === 1;
  return areCopies || new Set(readers.map(({ piece }) => piece)).size === readers.length;
}

function readersIn(node: PolicyNode, operand: number, piece: string): readonly WeightReader[] {
  if (node.cut !== undefined) {
    const isCopied = node.cut.level.identifier === undefined;
    return node.cut.pieces.flatMap((each, at) =>
      readersIn(each, operand, isCopied ? piece : `${piece}.${at}`),
    );
  }
  const read = node.piece?.inputs[operand];
  const part = read?.kind === "tensor" ? JSON.stringify(read.ranges) : "";
  return node.devices.map((device) => ({ piece, part, device }));
}
