import { axisIdentifiers, parseAnnotation } from "#core/dimops";
import { createLruCache } from "#core/records";
import type { CutOperator } from "#systems/system";
import { knowsFunction } from "./known-functions.ts";

/**
 * nnScaler's behaviour, by its annotations, for a library operator with cut dims; `undefined` if it
 * splits them.
 */
export function nnscalerVerdict({ traced, cut }: CutOperator): string | undefined {
  const { path, entry, annotations } = traced;
  if (entry === undefined) return undefined;
  if (path !== undefined && !knowsFunction(path))
    return `runs it whole on every device: it does not know "${path}"`;
  const frozen = frozenIn(annotations[0]?.text ?? "");
  const [first] = cut.filter((name) => frozen.has(name));
  return first === undefined
    ? undefined
    : `gathers "${first}": its annotation keeps that whole ("${first}^")`;
}

/** Cache of annotations that were parsed: the layers of a model share few. */
const known = createLruCache<ReadonlySet<string>>(256);

/** The identifiers that an annotation keeps whole. */
function frozenIn(annotation: string): ReadonlySet<string> {
  const found = known.find(annotation) ?? readFrozen(annotation);
  known.keep(annotation, found);
  return found;
}

function readFrozen(annotation: string): ReadonlySet<string> {
  const parsed = parseAnnotation(annotation);
  const all = parsed.ok ? axisIdentifiers(parsed.value) : [];
  return new Set(all.flatMap(({ name, reduction }) => (reduction === "^" ? [name] : [])));
}
