import { sum } from "#core/arithmetic";
import { applyEdits, type Fix, type Span, type TextEdit } from "#core/diagnostics";
import { type Identifier, type OpAnno, parseAnnotation } from "#core/dimops";

/** Edits of an annotation; offsets are within its text. */
interface Change {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/**
 * Fixes of an annotation that does not fit a call: an output takes the identifier that only inputs
 * have, an input loses dims that its tensor lacks, or dims are regrouped.
 *
 * @param place span of the annotation in the program, when it is written there literally
 * @param shapes shapes of the operands
 */
export function annotationFixes(
  text: string,
  place: Span | undefined,
  shapes: readonly (readonly number[])[],
  fits: (annotation: OpAnno) => boolean,
): readonly Fix[] {
  const parsed = parseAnnotation(text);
  if (place === undefined || place.to - place.from !== text.length || !parsed.ok) return [];
  const changes = [
    ...leftOver(parsed.value),
    ...surplusDims(text, parsed.value, shapes),
    ...(grouped(parsed.value, shapes) ?? []),
  ];
  const good = changes.filter(({ edits }) => {
    const other = parseAnnotation(applyEdits(text, edits));
    return other.ok && fits(other.value);
  });
  return good.map(({ title, edits }) => ({
    title,
    edits: edits.map((edit) => ({
      ...edit,
      from: place.from + edit.from,
      to: place.from + edit.to,
    })),
  }));
}

/**
 * Replaces identifiers that only outputs have by one that only inputs have and that is not summed.
 */
function leftOver({ inputs, outputs }: OpAnno): readonly Change[] {
  const [read, made] = [identifiersOf(inputs), identifiersOf(outputs)];
  const unknown = made.filter(({ name, kind }) => kind === "name" && !holds(read, name));
  const free = read.filter(({ name, reduction }) => reduction !== "+" && !holds(made, name));
  const names = [...new Set(free.map(({ name }) => name))];
  return names.map((name) => ({
    title: `Write "${name}"`,
    edits: unknown.map(({ span }) => ({ ...span, text: name })),
  }));
}

/** Removes leading dims that an operand's tensor does not have, in all operands. */
function surplusDims(
  text: string,
  { inputs, outputs }: OpAnno,
  shapes: readonly (readonly number[])[],
): readonly Change[] {
  const all = identifiersOf([...inputs, ...outputs]);
  return inputs.flatMap(({ dims }, index) => {
    const surplus = dims.slice(0, Math.max(0, dims.length - (shapes[index]?.length ?? 0)));
    const names = surplus.flatMap(({ identifiers }) => identifiers.map(({ name }) => name));
    if (names.length === 0) return [];
    const edits = all
      .filter(({ name }) => names.includes(name))
      .map(({ span }) => ({ from: span.from, to: spaceEnd(text, span.to), text: "" }));
    return [{ title: `Take ${names.map((name) => `"${name}"`).join(", ")} out`, edits }];
  });
}

/**
 * Replaces commas between dims by spaces, so that each operand has its tensor's rank; `undefined`
 * when ranks do not add up.
 */
function grouped(
  { inputs, outputs }: OpAnno,
  shapes: readonly (readonly number[])[],
): readonly Change[] | undefined {
  const isSplit = [...inputs, ...outputs].every(({ dims }) => dims.length === 1);
  const ranks = shapes.map(({ length }) => length);
  if (!isSplit || sum(ranks) !== inputs.length) return undefined;
  const ends = new Set(ranks.map((_, at) => sumTo(ranks, at)));
  const edits = [
    ...inputs.flatMap(({ span }, at) =>
      at + 1 < inputs.length && !ends.has(at + 1) ? [comma(span, inputs[at + 1]?.span)] : [],
    ),
    ...outputs.flatMap(({ span }, at) =>
      at + 1 < outputs.length ? [comma(span, outputs[at + 1]?.span)] : [],
    ),
  ];
  return [{ title: "Leave the commas between dims out", edits }];
}

function sumTo(ranks: readonly number[], at: number): number {
  return sum(ranks.slice(0, at + 1));
}

/** Edit that replaces the comma between two shapes by a space. */
function comma(before: Span, after: Span | undefined): TextEdit {
  return { from: before.to, to: after?.from ?? before.to, text: " " };
}

function identifiersOf(shapes: OpAnno["inputs"]): readonly Identifier[] {
  return shapes.flatMap(({ dims }) => dims).flatMap(({ identifiers }) => identifiers);
}

function holds(identifiers: readonly Identifier[], name: string): boolean {
  return identifiers.some((each) => each.name === name);
}

function spaceEnd(text: string, at: number): number {
  return at + (/^ */.exec(text.slice(at))?.[0].length ?? 0);
}
