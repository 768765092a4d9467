import type { MachineFigures } from "#core/cost";

/** What `chip={…}` calls the figures of a device, in SI units. */
export const chipWords = {
  flops: "flops",
  memory: "memoryBytes",
  memory_bandwidth: "memoryBandwidth",
} as const;

/**
 * The value of `chip=`: `{"flops": 800e12}`; `undefined` where every figure is the machine's own.
 */
export function chipText({ chip }: MachineFigures): string | undefined {
  const entries = Object.entries(chipWords).flatMap(([word, key]) => {
    const value = chip[key];
    return value === undefined ? [] : [`"${word}": ${numberText(value)}`];
  });
  return entries.length === 0 ? undefined : `{${entries.join(", ")}}`;
}

/**
 * The value of `links=`: `{"tp": {"bandwidth": 25e9, "fabric": "ring"}}`; `undefined` where every
 * figure is the machine's own.
 */
export function linksText({ links }: MachineFigures): string | undefined {
  const entries = Object.entries(links).flatMap(([axis, { bandwidth, latency, fabric }]) => {
    const own = [
      ...(bandwidth === undefined ? [] : [`"bandwidth": ${numberText(bandwidth)}`]),
      ...(latency === undefined ? [] : [`"latency": ${numberText(latency)}`]),
      ...(fabric === undefined ? [] : [`"fabric": "${fabric}"`]),
    ];
    return own.length === 0 ? [] : [`"${axis}": {${own.join(", ")}}`];
  });
  return entries.length === 0 ? undefined : `{${entries.join(", ")}}`;
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

/** JavaScript writes `1e+21` where Python takes `1e21` as well. */
function pythonNumber(value: number): string {
  return String(value).replace("e+", "e");
}
