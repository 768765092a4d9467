import type { Dialect } from "./dialect.ts";
import { atom, type Labelled, plainNumber } from "./labelled.ts";

/**
 * A number of each device by its position along mesh axes, as short as it can be said: a number, a
 * multiple of the position, else a list.
 *
 * @param values undefined where any number would do
 */
export function positioned(
  values: readonly (number | undefined)[],
  axes: readonly string[],
  dialect: Pick<Dialect, "coordinate" | "picked">,
): Labelled {
  const known = values.filter((value) => value !== undefined);
  const [first = 0] = known;
  if (known.every((value) => value === first)) return plainNumber(first);
  const step = (known[1] ?? 0) - first;
  const isMultiple = values.every((value, at) => value === undefined || value === at * step);
  if (isMultiple) {
    const code = dialect.coordinate(axes);
    return step === 1
      ? { ...atom(code), isNumber: true }
      : { code: `${code} * ${step}`, axes: [], binds: 3, isNumber: true };
  }
  const list = values.map((value) => value ?? 0);
  return { ...atom(dialect.picked(list, dialect.coordinate(axes))), isNumber: true };
}
