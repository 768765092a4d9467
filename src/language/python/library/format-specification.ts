/** Parsed format specification: `[[fill]align][sign][z][#][0][width][,][.precision][type]`. */
export interface Specification {
  readonly fill: string;
  readonly align: string;
  /** The sign option as written; empty when there is none. */
  readonly sign: string;
  readonly alternate: boolean;
  readonly width: number;
  readonly separator: string;
  readonly precision: number | undefined;
  /** Type as written, or the default for the value. */
  readonly type: string;
}

const pattern =
  /^(?:([\s\S])(?=[<>=^])([<>=^])|([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?(,?)(_?)(,?)(\.(\d*))?([\s\S]*)$/u;

/**
 * Parses a format specification; returns an error text when it is wrong. The order of checks is
 * that of CPython's `parse_internal_render_format_spec` (Python/formatter_unicode.c).
 *
 * @param assumed defaults for the kind of value
 */
export function parseSpecification(
  text: string,
  kind: string,
  assumed: { readonly type: string; readonly align: string },
): Specification | string {
  const found = pattern.exec(text);
  if (found === null) return `Invalid format specifier '${text}' for object of type '${kind}'`;
  const [, fill, filled, bare, sign = "", , mark, zero, digits = ""] = found;
  const [comma, underscore, late, point, places = "", rest = ""] = found.slice(9);
  if ([digits, places].some((number) => BigInt(number) >= 1n << 63n)) {
    return "Too many decimal digits in format string";
  }
  if (underscore !== "" && (comma !== "" || late !== "")) return "Cannot specify both ',' and '_'.";
  if (point !== undefined && places === "") return "Format specifier missing precision";
  const separator = `${comma}${underscore}`;
  const left = `${late}${rest}`;
  if (Array.from(left).length > 1) {
    return `Invalid format specifier '${text}' for object of type '${kind}'`;
  }
  const type = left === "" ? assumed.type : left;
  if (separator !== "" && !takesSeparator(type, separator)) {
    return `Cannot specify '${separator}' with '${type}'.`;
  }
  const isPadded = zero !== undefined && fill === undefined;
  const align = filled ?? bare ?? (isPadded && assumed.align === ">" ? "=" : assumed.align);
  return {
    fill: fill ?? (isPadded ? "0" : " "),
    align,
    sign,
    alternate: mark !== undefined,
    // A zero after a fill belongs to the width.
    width: Number(digits),
    separator,
    precision: point === undefined ? undefined : Number(places),
    type,
  };
}

function takesSeparator(type: string, separator: string): boolean {
  if (/^[deEfFgG%]?$/.test(type)) return true;
  return separator === "_" && /^[boxX]$/.test(type);
}
