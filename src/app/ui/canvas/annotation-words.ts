import { type Hue, hueOf } from "#app/scene";
import type { DimAnno, OpAnno, ShapeAnno } from "#core/dimops";
import type { OperatorPlan } from "#core/plan";
import { fieldOf } from "#core/records";

/** A run of an annotation; `hues` are those of the mesh axes that cut the identifier. */
export interface Word {
  readonly key: string;
  readonly text: string;
  readonly hues: readonly Hue[];
}

/** An annotation as runs of text, `b k+, k+ f → b f`, with what cuts each identifier. */
export function annotationWords(annotation: OpAnno, plan: OperatorPlan | undefined): Word[] {
  const texts: Omit<Word, "key">[] = [
    ...sideWords(annotation.inputs, plan),
    plain(" → "),
    ...sideWords(annotation.outputs, plan),
  ];
  return texts.map((word, at) => ({ ...word, key: `${at} ${word.text}` }));
}

function sideWords(shapes: readonly ShapeAnno[], plan: OperatorPlan | undefined) {
  return shapes.flatMap((shape, at) => [
    ...(at === 0 ? [] : [plain(", ")]),
    ...shapeWords(shape, plan),
  ]);
}

function shapeWords(shape: ShapeAnno, plan: OperatorPlan | undefined) {
  if (shape.ignored) return [plain("?")];
  if (shape.dims.length === 0) return [plain("1")];
  return shape.dims.flatMap((dim, at) => [
    ...(at === 0 ? [] : [plain(" ")]),
    ...dimWords(dim, plan),
  ]);
}

function dimWords(dim: DimAnno, plan: OperatorPlan | undefined) {
  const words = dim.identifiers.flatMap((identifier, at) => [
    ...(at === 0 ? [] : [plain(" ")]),
    {
      text: `${identifier.name}${identifier.reduction}`,
      hues: (fieldOf(plan?.strategy.cuts, identifier.name) ?? []).flatMap((part) =>
        part.kind === "axis" && plan !== undefined ? [hueOf(plan.mesh, part.axis)] : [],
      ),
    },
  ]);
  return dim.identifiers.length > 1 ? [plain("("), ...words, plain(")")] : words;
}

function plain(text: string): Omit<Word, "key"> {
  return { text, hues: [] };
}
