import type { Compiled } from "#compile";
import { type Factor, type Formula, formulaOf, termOf } from "#core/collective";
import type { Basis } from "#core/cost";
import { deviceCount } from "#core/mesh";
import { formatRate, formatSeconds, formatShare } from "../text/numbers.ts";
import { tokensOf } from "./tokens.ts";

/** A figure of a whole step. */
export interface StepFigure {
  readonly name: string;
  /** The figure as text, such as `41.3 %`; `unknown` if it cannot be computed. */
  readonly text: string;
  /** The definition of the figure, or the reason why it is unknown. */
  readonly how: string;
  /** The derivation of a figure that is a product. */
  readonly formula?: Formula;
}

/**
 * Utilisation, tokens a second, the achieved share of the peak, exposed communication, and the
 * limit.
 */
export function stepFigures(compiled: Compiled): readonly StepFigure[] {
  return [
    ...utilisationFigure(compiled),
    ...tokensFigure(compiled),
    ...achievedFigure(compiled),
    ...communicationFigures(compiled),
    ...(compiled.cost.seconds > 0 ? [limitFigure(compiled)] : []),
  ];
}

/** Model FLOPs utilisation as a share of the peak of all devices; `NaN` if unknown. */
export function utilisationOf(compiled: Compiled): number {
  return utilisation(compiled)?.value ?? Number.NaN;
}

function utilisation({ modelFlops, cost, hardware, mesh }: Compiled): Formula | undefined {
  const { forward, passes } = modelFlops;
  if (forward === 0) return undefined;
  const trained: Factor = {
    ...{ symbol: "passes", value: passes, unit: "1" },
    text: "3 (backward counts as 2)",
  };
  const factors: readonly Factor[] = [
    { symbol: "operations of the forward pass", value: forward, unit: "FLOP" },
    ...(passes === 1 ? [] : [trained]),
    { symbol: "time", value: cost.seconds, unit: "s", divides: true },
    { symbol: "peak", value: hardware.flops, unit: "FLOP/s", divides: true },
    { symbol: "devices", value: deviceCount(mesh.mesh), unit: "1", divides: true },
  ];
  return formulaOf("Model FLOPs utilisation", "1", [termOf("of the peak", factors)], {
    source:
      "the model's own operations, without recomputation and without copies on several devices, as a share of the dense bf16 peak",
  });
}

function utilisationFigure(compiled: Compiled): readonly StepFigure[] {
  const formula = utilisation(compiled);
  if (formula === undefined) return [];
  const name = "Model FLOPs utilisation";
  if (Number.isNaN(formula.value)) return [unknown(name, "a shape of the program is not known")];
  const how = "of the dense bf16 peak of all devices";
  return [{ name, text: formatShare(formula.value), how, formula }];
}

function tokensFigure(compiled: Compiled): readonly StepFigure[] {
  const { cost, mesh } = compiled;
  const { count, how } = tokensOf(compiled);
  const name = "Tokens per second";
  const rate = count / cost.seconds;
  if (Number.isNaN(rate)) return [unknown(name, how)];
  const devices = deviceCount(mesh.mesh);
  const each = devices > 1 ? `${formatRate(rate / devices, "")} a device; ` : "";
  return [{ name, text: formatRate(rate, ""), how: `${each}${how}` }];
}

function achievedFigure({ cost, hardware }: Compiled): readonly StepFigure[] {
  if (cost.flops === 0) return [];
  const name = "Achieved by the busiest device";
  const rate = cost.flops / cost.seconds;
  if (Number.isNaN(rate)) return [unknown(name, "its operations are not known")];
  const share = formatShare(rate / hardware.flops);
  const peak = formatRate(hardware.flops, "FLOP/s");
  return [
    {
      name,
      text: formatRate(rate, "FLOP/s"),
      how: `${share} of its bf16 peak of ${peak}, with all that it computes anew`,
    },
  ];
}

function communicationFigures({ cost }: Compiled): readonly StepFigure[] {
  const { communicationSeconds, exposedSeconds, hiddenSeconds } = cost;
  if (communicationSeconds === 0) return [];
  return [
    {
      name: "Exposed communication",
      text: formatSeconds(exposedSeconds),
      how: `${formatShare(exposedSeconds / cost.seconds)} of the time: nothing else runs then`,
    },
    {
      name: "Hidden communication",
      text: formatSeconds(hiddenSeconds),
      how: hiddenSeconds === 0 ? "nothing runs beside it" : "compute runs at the same time",
    },
  ];
}

function limitFigure({ cost }: Compiled): StepFigure {
  const { limit, hostSeconds, seconds, exposedSeconds, computeSeconds } = cost;
  if (limit === "host") {
    const device = formatSeconds(computeSeconds + exposedSeconds);
    return {
      name: "Limited by",
      text: "launches",
      how: `the host starts one kernel after the other in ${formatSeconds(hostSeconds)}; the device needs ${device}`,
    };
  }
  const isSent = exposedSeconds > seconds / 2;
  const host = hostSeconds > 0 ? `; the host needs ${formatSeconds(hostSeconds)} to launch` : "";
  return {
    name: "Limited by",
    text: isSent ? "communication" : "the device",
    how: `${formatShare((isSent ? exposedSeconds : computeSeconds) / seconds)} of the time${host}`,
  };
}

/** The source of a chip's figures, in words. */
export function basisWords(basis: Basis): string {
  switch (basis) {
    case "measured":
      return "fitted to kernels measured on this chip";
    case "scaled":
      return "scaled from another chip's measured curves by this one's peak and bandwidth";
    case "sheet":
      return "from its data sheet alone: nothing of this chip is measured";
  }
}

function unknown(name: string, how: string): StepFigure {
  return { name, text: "unknown", how };
}
