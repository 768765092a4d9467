import type { OperatorId } from "#core/ir";
import type { ModuleMetric } from "../figures/module-figures.ts";
import { stepAmounts } from "../figures/step-amounts.ts";
import { ownersOf } from "../figures/step-owners.ts";
import { rememberedFor } from "../remembered.ts";
import { formatBytes, formatSeconds } from "../text/numbers.ts";
import type { BoardFacts } from "./board-facts.ts";

/** Amounts for the bars on cards, for both passes, by operator of the text. */
export interface PassAmounts {
  readonly forward: ReadonlyMap<OperatorId, number>;
  readonly backward: ReadonlyMap<OperatorId, number>;
}

/** Accumulator of amounts per pass and operator. */
class Amounts implements PassAmounts {
  readonly forward = new Map<OperatorId, number>();
  readonly backward = new Map<OperatorId, number>();

  add(pass: "forward" | "backward", id: OperatorId, amount: number): void {
    this[pass].set(id, (this[pass].get(id) ?? 0) + amount);
  }
}

/** Bytes that the busiest device receives for an operator, over all runs of a step. */
export const sentBytes = rememberedFor((facts: BoardFacts): PassAmounts => {
  const amounts = new Amounts();
  const sends = new Map(
    [...facts.sends.values()].flat().map((send) => [send.redistribution.index, send]),
  );
  for (const { step, bytes } of stepAmounts(facts.compiled)) {
    const send = step.kind === "local" ? undefined : sends.get(step.reshard);
    if (send === undefined || bytes === 0) continue;
    const isLater = send.isAgain || send.lane === "gradient" || send.lane === "update";
    amounts.add(isLater ? "backward" : "forward", send.home, bytes);
  }
  return amounts;
});

/**
 * Bytes held at the memory peak: of the tensors that an operator reads first or produces, and of
 * its gradients.
 */
export const heldAtPeak = rememberedFor(({ compiled, homes, tensors }: BoardFacts): PassAmounts => {
  const amounts = new Amounts();
  const { program, memory } = compiled;
  const tensorOf = new Map(program.values.map(({ id, tensor }) => [id, tensor]));
  const owners = ownersOf(program);
  for (const { value, bytes } of memory.alive) {
    const tensor = tensorOf.get(value);
    const owner = tensor === undefined ? undefined : owners.operatorOf(tensor);
    const home = owner === undefined ? undefined : homes.get(owner);
    if (tensor === undefined || home === undefined) continue;
    const { gradientOf, producer } = tensors.get(tensor) ?? {};
    const isLater = gradientOf !== undefined || (producer !== undefined && !homesOwn(producer));
    amounts.add(isLater ? "backward" : "forward", home, bytes);
  }
  return amounts;

  function homesOwn(id: OperatorId): boolean {
    return homes.get(id) === id;
  }
});

/** An amount in words; empty for 0. */
export function amountText(metric: ModuleMetric, amount: number): string {
  if (!(amount > 0)) return "";
  return metric === "time" ? formatSeconds(amount) : formatBytes(amount);
}
