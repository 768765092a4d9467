import type { Hue } from "#app/scene";
import { type LabelSegment, labelIn, type Notation } from "#app/scene/text";
import { type Compiled, shownLayout, type TensorView } from "#compile";
import type { Tensor, TensorId } from "#core/ir";

/** A layout to be written at the end of a line. */
export interface LayoutHint {
  /** Somewhere on the line, as an offset into the text. */
  readonly at: number;
  readonly runs: readonly { readonly text: string; readonly hue?: Hue }[];
}

/**
 * The layouts of the values that statements bind or return, each for the end of the statement's
 * first line; in a graph of a system's format, for the line that defines the tensor.
 */
export function layoutHints(compiled: Compiled, notation: Notation): readonly LayoutHint[] {
  const { lines } = compiled;
  const labels = labelsOf(compiled, notation);
  if (lines === undefined) return graphHints(compiled, labels);
  const byLine = new Map<number, LayoutHint>();
  for (const { span, runs, without } of lines.values) {
    const isMade = runs.some((run) => run.some((id) => labels.isMade(id)));
    if (!isMade) continue;
    const said = valueText(
      runs.map((run) => labels.valueOf(run)),
      without,
    );
    if (said.length === 0) continue;
    const line = compiled.source.lastIndexOf("\n", span.from - 1);
    byLine.set(line, { at: span.from, runs: said });
  }
  return [...byLine.values()];
}

function graphHints(
  { graph, source }: Compiled,
  labels: ReturnType<typeof labelsOf>,
): readonly LayoutHint[] {
  const seen = new Set<number>();
  return graph.tensors.flatMap(({ id, producer, span }) => {
    if (producer === undefined || span === undefined) return [];
    const line = source.lastIndexOf("\n", span.from);
    const runs = labels.valueOf([id]).label;
    if (seen.has(line) || runs.length === 0) return [];
    seen.add(line);
    return [{ at: span.from, runs }];
  });
}

type Run = LayoutHint["runs"][number];

/** A value of one run of a statement: its text, and a key that equal values share. */
interface Value {
  readonly label: readonly Run[];
  readonly key: string;
}

const unknownLabel: Value = { label: [{ text: "layout not known" }], key: "?" };

function labelsOf({ tensors, graph }: Compiled, notation: Notation) {
  const views = new Map(tensors.map((view) => [view.tensor, view]));
  const byId = new Map(graph.tensors.map((tensor) => [tensor.id, tensor]));
  const known = new Map<TensorId, Value>();
  const of = (id: TensorId): Value => {
    const [tensor, view, had] = [byId.get(id), views.get(id), known.get(id)];
    const value = had ?? (tensor && view ? labelOf(tensor, view, notation) : unknownLabel);
    known.set(id, value);
    return value;
  };
  return {
    isMade: (id: TensorId) => byId.get(id)?.producer !== undefined,
    /** One layout is written for several tensors of equal layout, as in `q, k, v`. */
    valueOf: (ids: readonly TensorId[]): Value => {
      const each = ids.map(of);
      const [first] = each;
      const isOne = first !== undefined && each.every(({ key }) => key === first.key);
      if (isOne) return first;
      return {
        label: each.flatMap(({ label }, at) => (at === 0 ? label : [{ text: ", " }, ...label])),
        key: each.map(({ key }) => key).join(", "),
      };
    },
  };
}

/** Layouts are compared by their cuts alone, since layers may name the same dim differently. */
function labelOf(tensor: Tensor, view: TensorView, notation: Notation): Value {
  const layout = shownLayout(view);
  const places = tensor.shape.map((_, dim) => `${dim}`);
  return {
    label: labelIn(notation, layout, tensor.dimNames).map(runOf),
    key: tensor.isUnknown ? unknownLabel.key : textOf(labelIn("ours", layout, places)),
  };
}

function textOf(segments: readonly LabelSegment[]): string {
  return segments.map(({ text }) => text).join("");
}

function runOf(segment: LabelSegment): Run {
  return segment.kind === "axis"
    ? { text: segment.text, hue: segment.hue }
    : { text: segment.text };
}

/** The layout that all runs of a statement share, else the different ones with their counts. */
function valueText(values: readonly Value[], without: number): readonly Run[] {
  const counts = new Map<string, { readonly value: Value; count: number }>();
  for (const value of values) {
    const had = counts.get(value.key);
    if (had === undefined) counts.set(value.key, { value, count: 1 });
    else had.count += 1;
  }
  const [first, second, ...others] = [...counts.values()].toSorted((a, b) => b.count - a.count);
  if (first === undefined) return [];
  const none: readonly Run[] = without > 0 ? [{ text: `, no tensor ×${without}` }] : [];
  if (second === undefined && without === 0) return first.value.label;
  const written = [first, ...(second === undefined ? [] : [second])].flatMap(
    ({ value, count }, at) => [
      ...(at === 0 ? [] : [{ text: ", " }]),
      ...value.label,
      { text: ` ×${count}` },
    ],
  );
  const more = others.length === 0 ? [] : [{ text: `, ${others.length} more` }];
  return [...written, ...more, ...none];
}
