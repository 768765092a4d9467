import {
  type FigureKind,
  figureKinds,
  figureTotal,
  type ModuleFigures,
  type ModuleMetric,
} from "#app/scene/figures";
import { formatBytes, formatSeconds } from "#app/scene/text";
import { cellName, type ModuleCell } from "./module-cells.ts";

/** An amount of a figure with its unit. */
export function amount(metric: ModuleMetric, value: number): string {
  return metric === "time" ? formatSeconds(value) : formatBytes(value);
}

/** `attn ×24 791 ms`. */
export function longLabel({ node, around }: ModuleCell, metric: ModuleMetric): string {
  return `${cellName(node, around)} ${amount(metric, figureTotal(node.figures[metric]))}`;
}

const kindWords: Readonly<Record<FigureKind, string>> = {
  ...{ forward: "forward", backward: "backward", update: "update", held: "at the peak" },
  ...{ exposed: "exposed", waiting: "waiting for the host" },
};

/** `183 ms forward, 1.15 s exposed`: the parts of a figure. */
export function partsText({ figures }: ModuleFigures, metric: ModuleMetric): string {
  return figureKinds
    .flatMap((kind) => {
      const part = figures[metric][kind];
      return part === undefined ? [] : [`${amount(metric, part)} ${kindWords[kind]}`];
    })
    .join(", ");
}
