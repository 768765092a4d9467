const units: Readonly<Record<string, number>> = {
  ...{ "": 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 },
  ...{ s: 1, ms: 1e-3, µs: 1e-6, us: 1e-6 },
};

/** Number of bytes below which a number without a unit is taken to be meant in kB or MB. */
const fewBytes = 1_000;

/**
 * Number from typed text, with or without a unit: `3 145 728`, `3.1 MB`, `22 µs`. `undefined` if it
 * cannot be read.
 *
 * @param isBytes whether bytes are asked for: then a small number without a unit, such as `3.15`,
 * is refused
 */
export function readNumber(text: string, isBytes = false): number | undefined {
  const trimmed = text.trim();
  const end = trimmed.search(/[a-zµμ]/iu);
  const digits = end < 0 ? trimmed : trimmed.slice(0, end);
  const unit = end < 0 ? "" : trimmed.slice(end).toLowerCase().replace("μ", "µ");
  const scale = Object.hasOwn(units, unit) ? units[unit] : undefined;
  const plain = digits.replaceAll(/[\s\u00a0]|,(?=\d{3}(?:\D|$))/gu, "").replace(",", ".");
  if (!/^[\d.]+$/u.test(plain) || scale === undefined || !Number.isFinite(Number(plain))) {
    return undefined;
  }
  const value = Number(plain) * scale;
  return isBytes && unit === "" && value > 0 && value < fewBytes ? undefined : value;
}
