import type { Compiled } from "#compile";
import type { DeviceMesh } from "#core/mesh";
import type { CollectiveStep, Redistribution, SpmdProgram } from "#core/program";
import { rememberedFor } from "../remembered.ts";
import { axisTags, stepsByRedistribution } from "../text/comm-summary.ts";
import { formatBytes, formatSeconds } from "../text/numbers.ts";
import type { RedistributionBadge } from "./canvas.ts";

/** Looks up the badge content of a redistribution by index. */
export type Badges = (redistribution: number) => RedistributionBadge | undefined;

/** Lookup of badge contents; each is computed on request. */
export function badgesByIndex({ program, mesh: { mesh } }: Compiled): Badges {
  const steps = stepsByRedistribution(program);
  const byIndex = redistributionsOf(program);
  return (index) => {
    const redistribution = byIndex.get(index);
    return redistribution && badgeOf(redistribution, steps.get(index) ?? none, mesh);
  };
}

const none: readonly CollectiveStep[] = [];

const redistributionsOf = rememberedFor(
  ({ redistributions }: SpmdProgram): ReadonlyMap<number, Redistribution> =>
    new Map(redistributions.map((each) => [each.index, each])),
);

interface BadgeMemo {
  readonly steps: readonly CollectiveStep[];
  readonly mesh: DeviceMesh;
  readonly badge: RedistributionBadge;
}

const known = new WeakMap<Redistribution, BadgeMemo>();

/**
 * The badge content; the same object for an unchanged redistribution with the same steps and mesh.
 */
function badgeOf(
  redistribution: Redistribution,
  steps: readonly CollectiveStep[],
  mesh: DeviceMesh,
): RedistributionBadge {
  const before = known.get(redistribution);
  const isSame =
    before?.mesh === mesh &&
    before.steps.length === steps.length &&
    before.steps.every((step, at) => step === steps[at]);
  if (before !== undefined && isSame) return before.badge;
  const badge = {
    steps: steps.map(({ collective, axes }) => ({ collective, axes: axisTags(mesh, axes) })),
    numbers: numbersText(redistribution),
  };
  known.set(redistribution, { steps, mesh, badge });
  return badge;
}

/** Width of a badge in CSS pixels: icons, words, axis chips and, unless short, the numbers. */
export function badgeWidth(badge: RedistributionBadge, isShort: boolean): number {
  const name = badge.of === undefined ? 0 : badge.of.length * 6.8 + gap;
  const words = badge.steps.reduce(
    (sum, step) => {
      const chips = step.axes.reduce((chip, axis) => chip + axis.text.length * 6.8 + 10 + gap, 0);
      return sum + icon + gap + step.collective.length * 6.3 + gap + chips;
    },
    2 * padding + name,
  );
  return Math.ceil(isShort ? words : words + badge.numbers.length * 6.4);
}

/** A badge that names its tensor, for badges without an incoming line. */
export function withName(badge: RedistributionBadge, of: string): RedistributionBadge {
  return { ...badge, of };
}

const icon = 14;
const gap = 6;
const padding = 10;

function numbersText({ bytes, seconds }: Redistribution): string {
  return bytes === 0 ? "0 B" : `${formatBytes(bytes)} · ${formatSeconds(seconds)}`;
}
