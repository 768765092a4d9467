const units: Readonly<Record<string, number>> = {
  ...{ "": 1, b: 1, kb: 1e3, mb: 1e6, gb: 1e9, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 },
  ...{ s: 1, ms: 1e-3, µs: 1e-6, us: 1e-6 },
};

/** A number as it is typed, with a unit or without: `3 145 728`, `3.1 MB`, `22 µs`. */
export function readNumber(text: string): number | undefined {
  const [, digits = "", unit = ""] = /^\s*([\d\s.,\u00a0]+?)\s*([a-zµμ]*)\s*$/iu.exec(text) ?? [];
  const scale = units[unit.toLowerCase().replace("μ", "µ")];
  const plain = digits.replaceAll(/[\s\u00a0]|,(?=\d{3}(?:\D|$))/gu, "").replace(",", ".");
  if (plain === "" || scale === undefined || !Number.isFinite(Number(plain))) return undefined;
  return Number(plain) * scale;
}
