import type { DimAnno, OpAnno, ShapeAnno } from "#core/dimops";
import type { OperatorPlan } from "#core/plan";
import { fieldOf } from "#core/records";
import { hueOf } from "../hue.ts";
import type { AnnotationRun } from "./card.ts";

/**
 * An annotation as runs of text, `b k+, k+ f → b f`, with the hues of the mesh axes that shard each
 * identifier.
 */
export function annotationRuns(
  annotation: OpAnno,
  plan: OperatorPlan | undefined,
): readonly AnnotationRun[] {
  return [
    ...sideRuns(annotation.inputs, plan),
    plain(" → "),
    ...sideRuns(annotation.outputs, plan),
  ];
}

function sideRuns(shapes: readonly ShapeAnno[], plan: OperatorPlan | undefined) {
  return shapes.flatMap((shape, at) => [
    ...(at === 0 ? [] : [plain(", ")]),
    ...shapeRuns(shape, plan),
  ]);
}

function shapeRuns(shape: ShapeAnno, plan: OperatorPlan | undefined) {
  if (shape.ignored) return [plain("?")];
  if (shape.dims.length === 0) return [plain("1")];
  return shape.dims.flatMap((dim, at) => [
    ...(at === 0 ? [] : [plain(" ")]),
    ...dimRuns(dim, plan),
  ]);
}

function dimRuns(dim: DimAnno, plan: OperatorPlan | undefined) {
  const runs = dim.identifiers.flatMap((identifier, at) => [
    ...(at === 0 ? [] : [plain(" ")]),
    {
      text: `${identifier.name}${identifier.reduction}`,
      hues: (fieldOf(plan?.strategy.cuts, identifier.name) ?? []).flatMap((part) =>
        part.kind === "axis" && plan !== undefined ? [hueOf(plan.mesh, part.axis)] : [],
      ),
    },
  ]);
  return dim.identifiers.length > 1 ? [plain("("), ...runs, plain(")")] : runs;
}

function plain(text: string): AnnotationRun {
  return { text, hues: [] };
}
