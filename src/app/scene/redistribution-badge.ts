import type { Compiled } from "#compile";
import type { Redistribution } from "#core/program";
import type { RedistributionBadge } from "./canvas.ts";
import { axisTags, stepsByRedistribution } from "./comm-summary.ts";
import { formatBytes, formatSeconds } from "./numbers.ts";

/** What stands on the badge of each redistribution, by its index. */
export function badgesByIndex(compiled: Compiled): ReadonlyMap<number, RedistributionBadge> {
  const { program } = compiled;
  const steps = stepsByRedistribution(program);
  const badge = (redistribution: Redistribution): RedistributionBadge => ({
    steps: (steps.get(redistribution.index) ?? []).map((step) => ({
      collective: step.collective,
      axes: axisTags(compiled.mesh.mesh, step.axes),
    })),
    numbers: numbersText(redistribution),
  });
  return new Map(program.redistributions.map((each) => [each.index, badge(each)]));
}

/** Width of a badge in CSS pixels: icons, words, axis chips and, unless short, the numbers. */
export function badgeWidth(badge: RedistributionBadge, isShort: boolean): number {
  const words = badge.steps.reduce((sum, step) => {
    const chips = step.axes.reduce((chip, axis) => chip + axis.text.length * 6.8 + 10 + gap, 0);
    return sum + icon + gap + step.collective.length * 6.3 + gap + chips;
  }, 2 * padding);
  return Math.ceil(isShort ? words : words + badge.numbers.length * 6.4);
}

const icon = 14;
const gap = 6;
const padding = 10;

function numbersText({ bytes, seconds }: Redistribution): string {
  return bytes === 0 ? "0 B" : `${formatBytes(bytes)} · ${formatSeconds(seconds)}`;
}
