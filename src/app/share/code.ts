import { encode } from "uqr";

/** Width of the light margin around a code in modules; readers need it (ISO/IEC 18004, 9.1). */
const quietZone = 4;

/** A text as a QR code: the number of modules per side, and the dark modules as an SVG path. */
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
