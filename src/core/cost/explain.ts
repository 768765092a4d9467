import {
  explainReceived,
  explainSeconds,
  type Factor,
  type Formula,
  formulaOf,
  type Term,
  termOf,
} from "#core/collective";
import { bytesOf, tensorsById } from "#core/ir";
import { localShape } from "#core/mesh";
import { runShape } from "#core/plan";
import type { CollectiveStep, LocalStep, SpmdProgram, ValueId } from "#core/program";
import { runningOf } from "./contention.ts";
import type { Hardware } from "./cost.ts";
import { stepFactors, withFactors } from "./in-step.ts";
import type { Kernel } from "./kernel.ts";
import { kernelTerms } from "./kernel-seconds.ts";
import { kernelsOf } from "./kernels-of.ts";
import { groupSizeOf, isEqual, linksOf, loadsOf } from "./load.ts";
import { localOperator, measureOf } from "./local-operator.ts";
import { valueBytes } from "./operator-seconds.ts";
import type { RunRules } from "./run-rules.ts";

/** The sources of a basis' figures, in words. */
const sources = {
  measured: "curves fitted to kernels measured on this chip",
  scaled: "curves of a measured H100, scaled by peak and bandwidth (not measured on this chip)",
  sheet: "the data sheet alone: the larger of arithmetic and memory traffic, at 0.7 of the peaks",
} as const;

/**
 * The seconds that `estimate` counts for an operator's step, kernel by kernel, and its operations.
 * A step that runs no kernel (a view) has a formula without terms.
 */
export function explainLocal(
  program: SpmdProgram,
  hardware: Hardware,
  step: LocalStep,
  sizes: ReadonlyMap<ValueId, number> = valueBytes(program),
  rules: RunRules = {},
): readonly Formula[] {
  const local = localOperator(step, measureOf(program, sizes));
  if (local === undefined) return [];
  const kernels = kernelsOf(local);
  const running = runningOf(program, hardware, rules);
  const terms = kernels.flatMap((kernel) => {
    const name = kernels.length > 1 ? `${kernelName(kernel)}: ` : "";
    const factors = stepFactors(kernel, local, running);
    const terms = kernelTerms(kernel, hardware).map((term) => withFactors(term, factors));
    return terms.map((term) => ({ ...term, name: `${name}${term.name}` }));
  });
  const names = kernels.map(kernelName).join(", then ");
  const said = kernels.length === 0 ? "another view of what is there" : names;
  const basis = `${said}; ${hardware.basis}: ${sources[hardware.basis]}`;
  const source = running.crowding === 1 ? basis : `${basis}; ${crowdingSource}`;
  const seconds = formulaOf("compute", "s", terms, { source });
  const counted = kernels.flatMap(operationTerms);
  if (counted.length === 0) return [seconds];
  const operations = formulaOf("operations", "FLOP", counted, {
    source: "a multiplication and an addition for every step of a product, on one device",
  });
  return [seconds, operations];
}

const crowdingSource = "crowding: assumed of whole steps of several devices, from published ones";

function kernelName(kernel: Kernel): string {
  if (kernel.class === "traffic") return kernel.kind;
  const { class: name, arithmetic } = kernel;
  return `${kernel.class === "attention" && kernel.pass === "backward" ? "gradients of " : ""}${name} in ${arithmetic}`;
}

/** The operations of a kernel as a product of its lengths. */
function operationTerms(kernel: Kernel): readonly Term[] {
  if (kernel.class === "traffic") return [];
  const { share = 1 } = kernel;
  const one = (symbol: string, value: number): Factor => ({ symbol, value, unit: "1" });
  const part = share === 1 ? [] : [one("share of the kernel", share)];
  const both = one("products and sums", 2);
  if (kernel.class !== "attention") {
    const { batch, rows, columns, inner } = kernel;
    const lengths = [one("rows", rows), one("columns", columns), one("inner", inner)];
    return [termOf("on one device", [both, one("batch", batch), ...lengths, ...part])];
  }
  const { batch, queries, keys, width, valueWidth, visible, pass } = kernel;
  return [
    termOf("on one device", [
      both,
      ...[one("batch × heads", batch), one("queries", queries), one("keys", keys)],
      one("head widths", width + valueWidth),
      ...(visible === 1 ? [] : [one("not masked", visible)]),
      ...(pass === "backward" ? [one("backward", 2.5)] : []),
      ...part,
    ]),
  ];
}

/**
 * Seconds of a collective, term by term. `undefined` if the model's terms do not give the step's
 * own seconds, so that no wrong formula is shown.
 */
export function explainCollective(program: SpmdProgram, step: CollectiveStep): Formula | undefined {
  const loads = loadsOf(step, linksOf(program)(step));
  return loads
    .map((load) => explainSeconds(step.collective, load))
    .find(({ value }) => isEqual(value, step.seconds));
}

/**
 * The bytes that the busiest device receives in a collective; `undefined` where no formula gives
 * them, because they are counted message by message (unequal pieces).
 */
export function explainReceivedBytes(
  step: CollectiveStep,
  sizes: ReadonlyMap<ValueId, number>,
): Formula | undefined {
  const { collective } = step;
  if (collective === "slice" || collective === "exchange" || step.pairs !== undefined) {
    return undefined;
  }
  const localBytes = sizes.get(step.input) ?? 0;
  const formula = explainReceived(collective, { groupSize: groupSizeOf(step), localBytes });
  return isEqual(formula.value, step.bytes) ? formula : undefined;
}

/**
 * The bytes that a device holds of a value: the product of its local dims, the bytes of an element
 * and the number of micro-batches. `undefined` if that product is not `bytes`.
 */
export function explainValue(
  program: SpmdProgram,
  value: ValueId,
  bytes: number,
): Formula | undefined {
  const own = program.values.find(({ id }) => id === value);
  const tensor = own && tensorsById(program.graph).get(own.tensor);
  if (own === undefined || tensor === undefined) return undefined;
  const lengths = localShape(own.layout, runShape(program.microbatches, tensor));
  const factors: readonly Factor[] = [
    ...lengths.map(
      (length, dim): Factor => ({
        symbol: tensor.dimNames[dim] ?? `dim ${dim}`,
        value: length,
        unit: "1",
      }),
    ),
    { symbol: own.dtype, value: bytesOf(own.dtype), unit: "B" },
  ];
  const runs: Factor = {
    symbol: "micro-batches",
    value: program.microbatches?.count ?? 1,
    unit: "1",
  };
  return [factors, [runs, ...factors]]
    .map((all) =>
      formulaOf("held", "B", [termOf("on the fullest device", all)], {
        source: "the device's own piece of the tensor",
      }),
    )
    .find((formula) => isEqual(formula.value, bytes));
}
