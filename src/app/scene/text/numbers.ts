const minus = "−";

interface Unit {
  readonly scale: number;
  readonly name: string;
}

const byteUnits: readonly Unit[] = [
  { scale: 1e18, name: "EB" },
  { scale: 1e15, name: "PB" },
  { scale: 1e12, name: "TB" },
  { scale: 1e9, name: "GB" },
  { scale: 1e6, name: "MB" },
  { scale: 1e3, name: "kB" },
  { scale: 1, name: "B" },
];

const secondUnits: readonly Unit[] = [
  { scale: 1, name: "s" },
  { scale: 1e-3, name: "ms" },
  { scale: 1e-6, name: "µs" },
  { scale: 1e-9, name: "ns" },
];

const countUnits: readonly Unit[] = [
  { scale: 1e12, name: "T" },
  { scale: 1e9, name: "G" },
  { scale: 1e6, name: "M" },
];

const plainRate: Unit = { scale: 1, name: "" };

const rateUnits: readonly Unit[] = [
  { scale: 1e15, name: "P" },
  { scale: 1e12, name: "T" },
  { scale: 1e9, name: "G" },
  { scale: 1e6, name: "M" },
  { scale: 1e3, name: "k" },
];

/** Bytes in SI units with three significant digits: `8.39 MB`, `36 B`, `0 B`. */
export function formatBytes(bytes: number): string {
  return signed(bytes, (size) => (size < 999.5 ? `${short(size)} B` : scaled(size, byteUnits)));
}

/** Seconds with three significant digits: `31.0 µs`, `67.0 ms`, `0 s`. */
export function formatSeconds(seconds: number): string {
  return signed(seconds, (size) => (size === 0 ? "0 s" : scaled(size, secondUnits)));
}

/** A count: in full below a million (`32768`), else with three digits (`2.10 M`). */
export function formatCount(count: number): string {
  return signed(count, (size) => (size < 1e6 ? short(size) : scaled(size, countUnits)));
}

/** A rate with an SI prefix on its unit: `412 TFLOP/s`, `1.23 M`. */
export function formatRate(rate: number, unit: string): string {
  return signed(rate, (size) => {
    const { scale, name } = rateUnits.find((each) => size / each.scale >= 0.9995) ?? plainRate;
    return `${digits(size / scale)} ${name}${unit}`.trim();
  });
}

/** A fraction as a percentage with three significant digits: `2.32 %`. */
export function formatShare(share: number): string {
  return signed(share, (size) => (size === 0 ? "0 %" : `${digits(size * 100)} %`));
}

/** A change of bytes with its sign: `−8.39 MB`, `+4.19 MB`, `±0 B`. */
export function formatBytesDelta(bytes: number): string {
  return delta(bytes, formatBytes);
}

/** A change of seconds with its sign: `−963 µs`, `±0 s`. */
export function formatSecondsDelta(seconds: number): string {
  return delta(seconds, formatSeconds);
}

function delta(value: number, format: (size: number) => string): string {
  if (Number.isNaN(value)) return "change unknown";
  if (value === 0) return `±${format(0)}`;
  return value > 0 ? `+${format(value)}` : format(value);
}

function signed(value: number, format: (size: number) => string): string {
  if (Number.isNaN(value)) return "unknown";
  return value < 0 ? minus + format(-value) : format(value);
}

/** Three significant digits; all digits before the point are kept. */
function digits(size: number): string {
  if (size >= 99.95) return size.toFixed(0);
  if (size >= 9.995) return size.toFixed(1);
  return size >= 0.9995 ? size.toFixed(2) : size.toPrecision(3);
}

function short(size: number): string {
  return Number.isInteger(size) ? String(size) : digits(size);
}

/**
 * The number in the largest unit in which, rounded, it is at least 1; in the smallest unit if there
 * is none.
 */
function scaled(size: number, units: readonly Unit[]): string {
  const last = units.length - 1;
  const unit = units.find(({ scale }, i) => size / scale >= 0.9995 || i === last);
  return unit === undefined ? digits(size) : `${digits(size / unit.scale)} ${unit.name}`;
}
