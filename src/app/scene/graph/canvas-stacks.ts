import type { Compiled } from "#compile";
import { sum } from "#core/arithmetic";
import type { Tensor, TensorId } from "#core/ir";
import { formatBytes } from "../text/numbers.ts";
import { heldBytes } from "../text/sentence.ts";
import type { BlockStack, RunMembers } from "./canvas.ts";
import { type BlockRun, stretchLabel } from "./canvas-blocks.ts";
import type { Flow } from "./flow.ts";
import { layoutsOf, tensorsOf } from "./tensor-caption.ts";

/**
 * Sums of the parameters and redistributions of equal runs, without the redistributions that are
 * drawn on lines around them.
 */
export function blockStacks(
  compiled: Compiled,
  flow: Flow,
): (runs: readonly BlockRun[]) => BlockStack {
  const tensors = tensorsOf(compiled.graph);
  const drawn = new Set(flow.redistributions.map(({ redistribution }) => redistribution.index));
  const moves = new Map(
    compiled.program.redistributions
      .filter(({ index }) => !drawn.has(index))
      .map((each) => [each.index, each]),
  );
  const layouts = layoutsOf(compiled);
  const bytesOf = (id: TensorId) => {
    const [tensor, layout] = [tensors.get(id), layouts.get(id)];
    return tensor === undefined || layout === undefined ? 0 : heldBytes(tensor, layout);
  };
  return (runs) => {
    const inside = runs.flatMap((run) => run.redistributions.flatMap((at) => moves.get(at) ?? []));
    const parameters = runs.flatMap((run) => run.parameters);
    const bytes = sum(inside.map((each) => each.bytes));
    return {
      label: stretchLabel(runs),
      count: runs.length,
      each: eachText(runs),
      all: allText(
        parameters.map((id) => tensors.get(id)),
        sum(parameters.map(bytesOf)),
        bytes,
      ),
      bytes,
      seconds: sum(inside.map((each) => each.seconds)),
      runs: runs.map(membersOf),
    };
  };
}

function membersOf({ key, label, operators, made, parameters, redistributions }: BlockRun) {
  const tensors = [...made, ...parameters];
  return { key, label, operators, tensors, redistributions } satisfies RunMembers;
}

function eachText(runs: readonly BlockRun[]): string {
  const [first] = runs;
  const operators = counted(first?.operators.length ?? 0, "operator");
  const moves = first?.redistributions.length ?? 0;
  const each = runs.length > 1 ? " each" : "";
  return moves === 0
    ? `${operators}${each}`
    : `${operators}, ${counted(moves, "redistribution")}${each}`;
}

function allText(
  parameters: readonly (Tensor | undefined)[],
  held: number,
  received: number,
): string {
  const words = [
    ...(parameters.length === 0 ? [] : [`parameters ${formatBytes(held)}`]),
    ...(received === 0 ? [] : [`comm ${formatBytes(received)}`]),
  ];
  return words.length === 0 ? "nothing is sent" : words.join(" · ");
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
