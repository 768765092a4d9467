/** Bytes per unit, by unit name; decimal units (`kB`) and binary ones (`KiB`) differ. */
const units: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1e3,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

/** The accepted spellings of a number of bytes, in words for messages. */
export const byteSizeForms = `a number of bytes above 0, or a text such as "80GB" (${Object.keys(units).join(", ")})`;

/**
 * Bytes from a request's field, given as a number or as text with a unit; `undefined` if it is
 * invalid.
 */
export function readByteSize(given: unknown): number | undefined {
  const bytes = typeof given === "string" ? bytesIn(given) : given;
  return typeof bytes === "number" && Number.isFinite(bytes) && bytes > 0 ? bytes : undefined;
}

function bytesIn(text: string): number | undefined {
  const [, digits = "", unit = "B"] =
    /^\s*(\d+(?:\.\d+)?(?:[eE]\+?\d+)?)\s*([A-Za-z]+)?\s*$/.exec(text) ?? [];
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  return digits === "" || factor === undefined ? undefined : Number(digits) * factor;
}
