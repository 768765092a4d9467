import { encode } from "uqr";

/** Bright modules around a code, without which readers do not find it (ISO/IEC 18004, 9.1). */
const quietZone = 4;

/** A text as a QR code: how many modules a side has, and the dark ones as a path of SVG. */
export function codeOf(text: string): { readonly size: number; readonly path: string } {
  const { data, size } = encode(text, { ecc: "L", border: quietZone });
  const runs = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => {
      if (!isDark || row[x - 1]) return [];
      const end = row.findIndex((next, at) => at > x && !next);
      return [`M${x} ${y}h${(end < 0 ? size : end) - x}v1H${x}Z`];
    }),
  );
  return { size, path: runs.join("") };
}
