import { sum } from "#core/arithmetic";
import { applyEdits, type Fix, type Span, type TextEdit } from "#core/diagnostics";
import { type Identifier, type OpAnno, parseAnnotation } from "#core/dimops";

/** A change of an annotation's text, with offsets in it. */
interface Change {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/**
 * Other annotations that fit a call, as edits of the one that does not: an output takes the
 * identifier that the inputs have left over, or an input loses the dims that its tensor lacks.
 *
 * @param place where the annotation stands in the program, when it stands there as it is
 * @param shapes of the operands
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

/** An identifier that only outputs have, as one that only inputs have and nothing sums. */
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

/** Dims at the front that an operand's tensor does not have, taken out of all operands. */
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

/** Commas between dims, where each tensor was meant to have several: as many as the operands have. */
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

/** One space for what stands between two tensors. */
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
