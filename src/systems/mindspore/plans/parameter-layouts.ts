import type { Diagnostic } from "#core/diagnostics";
import type { BuiltGraph } from "#language/document/graph";
import { shapeOf, type TracedOperator, type TracedTensor } from "#language/document/trace";
import { placedOperators } from "../emitted/placed-operators.ts";
import { primitiveName } from "../emitted/primitive-name.ts";
import { sourceOf } from "../emitted/transparent.ts";
import { entryList } from "../operators/call.ts";
import type { OperatorModel } from "../operators/model-operator.ts";
import { groupAlong } from "../redistribution/rank-list.ts";
import { takesUnknown } from "./model-call.ts";
import { refuse } from "./reduced-plan.ts";

/**
 * Errors for parameters that two operators want with different layouts: MindSpore keeps one layout
 * of each, and refuses (`CheckParameterSplit`). A Reshape reads the stored layout, and `OnesLike`
 * or `Shape` of a parameter is a constant.
 */
export function parameterLayouts(
  { operatorOf, tracedBy }: Pick<BuiltGraph, "operatorOf" | "tracedBy">,
  devices: number,
): readonly Diagnostic[] {
  const readers = [...operatorOf.keys()].filter(
    (traced) => !/^(Reshape|Cast|OnesLike|Shape)$/.test(primitiveName(traced)),
  );
  return [...tracedBy].flatMap(([name, tensor]): Diagnostic[] => {
    if (tensor.role !== "parameter" || tensor.producer !== undefined) return [];
    const uses = readers.filter(({ inputs }) => inputs.some((input) => isOf(input, tensor)));
    if (uses.length < 2) return [];
    const held = placedOperators({ operators: uses }, devices, 0).flatMap(({ traced, model }) => {
      if (model === undefined || takesUnknown(traced)) return [];
      const at = traced.inputs.findIndex((input) => isOf(input, tensor));
      return [{ traced, lies: ranksAlong(model, at) }];
    });
    const [first] = held;
    const other = held.find(({ lies }) => lies !== first?.lies);
    if (first === undefined || other === undefined) return [];
    const [span, related] = [spanOf(other.traced), spanOf(first.traced)];
    const message = `${other.traced.op} wants "${name}" (${shapeOf(tensor).join(", ")}) cut otherwise than ${first.traced.op} does, and MindSpore keeps one layout of a parameter`;
    return [
      { ...refuse(span, message), related: [{ message: "the other strategy", span: related }] },
    ];
  });
}

/** Whether an operand is this tensor, possibly through operators that keep its layout. */
function isOf(input: TracedOperator["inputs"][number], tensor: TracedTensor): boolean {
  return input.kind === "tensor" && sourceOf(input, new Map()) === tensor;
}

function spanOf({ strategy, span }: TracedOperator) {
  return strategy?.span ?? span;
}

/** The ranks along each dim of an input, for rank 0, as text to compare. */
function ranksAlong({ deviceMatrix, inputMaps }: OperatorModel, at: number): string {
  const dims = (inputMaps[at] ?? []).map((entry) =>
    entryList(entry)
      .filter((axis) => axis >= 0)
      .reduce<readonly number[]>(
        (ranks, axis) => ranks.flatMap((rank) => groupAlong(deviceMatrix, axis, rank)),
        [0],
      )
      .join(),
  );
  return dims.join(";");
}
