import type { CostModel, Hardware } from "#core/cost";
import type { DeviceMesh } from "#core/mesh";
import type { PricedMove } from "#core/reshard";
import measured from "./measured-collectives.json" with { type: "json" };

/**
 * Measured seconds of collectives on AMD MI200, by group size and tensor size in mebibytes: the
 * default tables of microsoft/nnscaler@1585c15 (MIT),
 * `nnscaler/resources/profile/mi200/comm/intra_{2,4,8,16}.json`.
 */
const measuredSeconds = new Map(
  Object.entries(measured.seconds).map(([size, seconds]) => [Number(size), seconds]),
);

/**
 * nnScaler's cost model (planner.md §2.1, `nnscaler/autodist/cost_database.py`). Collectives have
 * measured times for groups of 2, 4, 8 or 16, by the bytes of the tensor that is whole on the axis:
 * linear between measurements, flat below the first, and proportional beyond the last. Link speeds
 * do not count.
 *
 * nnScaler profiles the seconds of operators on the actual devices; here the bounds of arithmetic
 * and memory traffic take their place.
 */
export function nnScalerModel({ flops, memoryBandwidth }: Hardware): CostModel {
  return {
    name: "nnscaler",
    priceMove: nnScalerMove,
    computeSeconds: (work) => Math.max(work.flops / flops, work.bytes / memoryBandwidth),
  };
}

/** Why the model cannot price a mesh: an axis size without measurements; `undefined` if it can. */
export function unmeasuredAxis({ axes }: DeviceMesh): string | undefined {
  const axis = axes.find(({ size }) => size > 1 && !measuredSeconds.has(size));
  if (axis === undefined) return undefined;
  const known = [...measuredSeconds.keys()].join(", ");
  return `the model "nnscaler" is a table of measurements for groups of ${known} devices; "${axis.name}" has ${axis.size}`;
}

function nnScalerMove({ collective, axes, bytes }: PricedMove): number {
  if (collective === "slice") return 0;
  const n = axes[0]?.size ?? 1;
  if (collective === "collective-permute" || collective === "exchange") {
    return Number.POSITIVE_INFINITY;
  }
  const seconds = measuredSeconds.get(n)?.[collective];
  if (seconds === undefined) return Number.POSITIVE_INFINITY;
  const isCut = collective === "all-gather" || collective === "all-to-all";
  return between(seconds, (isCut ? n * bytes : bytes) / 2 ** 20);
}

/** Interpolated seconds for a size in mebibytes. */
function between(seconds: readonly number[], megabytes: number): number {
  const xs = measured.megabytes;
  if (megabytes === 0) return 0;
  const above = xs.findIndex((x) => megabytes < x);
  if (above === 0) return seconds[0] ?? 0;
  if (above < 0) return (megabytes / (xs.at(-1) ?? 1)) * (seconds.at(-1) ?? 0);
  const [x0 = 0, x1 = 1] = [xs[above - 1], xs[above]];
  const [y0 = 0, y1 = 0] = [seconds[above - 1], seconds[above]];
  return y0 + ((megabytes - x0) * (y1 - y0)) / (x1 - x0);
}
