import { mixColours } from "#app/scene/svg";

/** Colours of a heat map, as hexadecimal strings. */
export interface HeatColours {
  readonly surface: string;
  readonly above: string;
  readonly below: string;
  readonly none: string;
  readonly wrong: string;
}

/** Heat-map colours of the theme in force at an element. */
export function heatColours(element: Element): HeatColours {
  const style = getComputedStyle(element);
  const colour = (name: string) => longHex(style.getPropertyValue(name).trim());
  return {
    surface: colour("--surface"),
    above: colour("--heat-p"),
    below: colour("--heat-n"),
    none: colour("--line-strong"),
    wrong: colour("--danger"),
  };
}

/**
 * Colour with six hex digits; a built style sheet may have the three-digit form.
 * @internal
 */
export function longHex(colour: string): string {
  return /^#[0-9a-f]{3}$/i.test(colour) ? colour.replace(/[0-9a-f]/gi, "$&$&") : colour;
}

/** Number of shades from zero to the strongest colour. */
const shades = 20;

/** Largest share of the colour over the surface, in percent. */
const strongest = 90;

/** Returns the colour of a number: the surface colour at 0, the strongest at ±`most`. */
export function createHeat(
  { surface, above, below, none }: HeatColours,
  most: number,
): (number: number) => string {
  const shadesOf = (colour: string) =>
    Array.from({ length: shades + 1 }, (_, at) =>
      mixColours(colour, surface, (strongest * at) / shades),
    );
  const [positive, negative] = [shadesOf(above), shadesOf(below)];
  return (number) => {
    if (!Number.isFinite(number)) return none;
    const share = most === 0 ? 0 : Math.min(1, Math.abs(number) / most);
    return (number < 0 ? negative : positive)[Math.round(shades * share)] ?? surface;
  };
}
