import { mixed } from "#app/scene/svg";

/** Colours of numbers, in hexadecimal. */
export interface HeatColours {
  readonly surface: string;
  readonly above: string;
  readonly below: string;
  readonly none: string;
  readonly wrong: string;
}

/** The colours of the page's present theme. */
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
 * A colour in six digits: built styles have the short form where there is one.
 * @internal
 */
export function longHex(colour: string): string {
  return /^#[0-9a-f]{3}$/i.test(colour) ? colour.replace(/[0-9a-f]/gi, "$&$&") : colour;
}

/** The number of steps from the surface to the strongest colour. */
const shades = 20;

/** The largest share of a colour in its mixture with the surface, in percent. */
const strongest = 90;

/** The colour of a number: the surface at 0, the strongest colour at `most`. */
export function createHeat(
  { surface, above, below, none }: HeatColours,
  most: number,
): (number: number) => string {
  const shadesOf = (colour: string) =>
    Array.from({ length: shades + 1 }, (_, at) =>
      mixed(colour, surface, (strongest * at) / shades),
    );
  const [positive, negative] = [shadesOf(above), shadesOf(below)];
  return (number) => {
    if (!Number.isFinite(number)) return none;
    const share = most === 0 ? 0 : Math.min(1, Math.abs(number) / most);
    return (number < 0 ? negative : positive)[Math.round(shades * share)] ?? surface;
  };
}
