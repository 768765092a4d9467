import {
  type ChipFigures,
  defaultDeviceName,
  figureWords,
  groupWords,
  type MachineFigures,
  type OwnHardware,
} from "#core/cost/machines";
import type { Link } from "#core/mesh";

/**
 * Text of `chip=`, in SI units: `{"flops": 800e12, "peaks": {"f32": 60e12}}`. `undefined` when no
 * figure differs from the machine's.
 */
export function chipText({ chip }: Pick<MachineFigures, "chip">): string | undefined {
  return dictOf(chipEntries(chip));
}

function chipEntries(chip: ChipFigures): readonly string[] {
  const plain = Object.entries(figureWords).flatMap(([word, { key }]) => {
    const value = chip[key];
    return value === undefined ? [] : [`"${word}": ${numberText(value)}`];
  });
  const groups = (["peaks", "efficiencies"] as const).flatMap((key) => {
    const held: Readonly<Record<string, number>> = chip[key] ?? {};
    const inside = groupWords[key].words.flatMap((word) => {
      const value = held[word];
      return value === undefined ? [] : [`"${word}": ${numberText(value)}`];
    });
    return inside.length === 0 ? [] : [`"${key}": {${inside.join(", ")}}`];
  });
  return [...plain, ...groups];
}

/**
 * Text of `hardware=` for a custom device, which reads back as the same device; only the machine's
 * name when no figure differs.
 */
export function ownHardwareText({ from, figures }: OwnHardware): string {
  const { name, links } = figures;
  const between = (["within", "between"] as const).flatMap((word) => {
    const link = from[word];
    const text = link && linkText(link);
    return text === undefined ? [] : [`"${word}": ${text}`];
  });
  const byAxis = linksText({ links });
  const entries = [
    ...(name === undefined || name === defaultDeviceName
      ? []
      : [`"name": ${JSON.stringify(name)}`]),
    ...(from.machine === undefined ? [] : [`"chip": ${JSON.stringify(from.machine)}`]),
    ...chipEntries(figures.chip),
    ...between,
    ...(byAxis === undefined ? [] : [`"links": ${byAxis}`]),
  ];
  const isPlain = from.machine !== undefined && entries.length === 1;
  return isPlain ? JSON.stringify(from.machine) : (dictOf(entries) ?? "{}");
}

function dictOf(entries: readonly string[]): string | undefined {
  return entries.length === 0 ? undefined : `{${entries.join(", ")}}`;
}

/**
 * Text of `links=`: `{"tp": {"bandwidth": 25e9, "fabric": "ring"}}`. `undefined` when no figure
 * differs from the machine's.
 */
export function linksText({ links }: Pick<MachineFigures, "links">): string | undefined {
  return dictOf(
    Object.entries(links).flatMap(([axis, link]) => {
      const text = linkText(link);
      return text === undefined ? [] : [`"${axis}": ${text}`];
    }),
  );
}

function linkText({ bandwidth, latency, fabric, reached }: Partial<Link>): string | undefined {
  return dictOf([
    ...(bandwidth === undefined ? [] : [`"bandwidth": ${numberText(bandwidth)}`]),
    ...(latency === undefined ? [] : [`"latency": ${numberText(latency)}`]),
    ...(fabric === undefined ? [] : [`"fabric": "${fabric}"`]),
    ...(reached === undefined ? [] : [`"reached": ${reached}`]),
  ]);
}

/**
 * A number as Python reads it back exactly, by powers of a thousand: `450e9`, `3e-6`.
 * @internal
 */
export function numberText(value: number): string {
  if (value === 0) return "0";
  const power = 3 * Math.floor(Math.log10(Math.abs(value)) / 3);
  const mantissa = Number((value / 10 ** power).toPrecision(15));
  const text = power === 0 ? `${mantissa}` : `${mantissa}e${power}`;
  return Number(text) === value ? text : pythonNumber(value);
}

/** Number as Python writes it: `1e21` instead of JavaScript's `1e+21`. */
function pythonNumber(value: number): string {
  return String(value).replace("e+", "e");
}
