import { type UpdateRule, type Use, withoutPartials } from "./use.ts";
import type { PlannedValue } from "./values.ts";

/**
 * Lower bound of one reader's share in the seconds of adding up k gradients, in row-major order:
 * its share of the k − 1 additions, each in the layout of its own gradient or in the layout of the
 * value.
 *
 * @param terms number k of readers that make a gradient
 */
export function sharedAdditions(
  value: PlannedValue,
  sides: readonly (readonly Partial<Use>[])[],
  { pricing, runs }: UpdateRule,
  terms: number,
): readonly number[] {
  const [sources, uses] = sides;
  if (sources === undefined || uses === undefined || terms < 2 || !value.hasGradient) return [];
  const { routes } = value;
  const costOf = (state: number) => runs * pricing.addSeconds(routes.localBytes(state));
  return sources.flatMap(({ source }) => {
    const whole = source === undefined ? 0 : costOf(withoutPartials(value, source));
    return uses.map(({ gradients = [] }) => {
      const [own, ...others] = gradients;
      if (own === undefined || others.length > 0) return 0;
      return ((terms - 1) / terms) * Math.min(costOf(own), whole);
    });
  });
}
