import type { TracedTensor } from "#language/document/trace";
import { entryList } from "../../operators/call.ts";
import { copiesAmong } from "../../operators/model-operator.ts";
import type { EmittedLayouts } from "../layouts.ts";
import type { PlacedOperator } from "../placed-operators.ts";
import { isTransparent, type SameTensors, sourceOf } from "../transparent.ts";

interface Readers {
  readonly placed: readonly PlacedOperator[];
  readonly layouts: EmittedLayouts;
  readonly same: SameTensors;
  readonly rank: number;
}

/**
 * The ranks over which the gradient of a parameter is summed: those that hold the same slice. Empty
 * for a parameter that only a Transpose reads, which has no mirror; `undefined` if they are not
 * known.
 */
export function copiesOf(parameter: TracedTensor, net: Readers): readonly number[] | undefined {
  const { placed, same } = net;
  const readers = placed.filter(
    ({ traced }) =>
      !isTransparent(traced) &&
      traced.inputs.some((each) => each.kind === "tensor" && sourceOf(each, same) === parameter),
  );
  if (readers.every(({ op }) => op === "Transpose")) return [];
  if (readers.some(({ op }) => op === "Transpose")) return undefined;
  return readers.map((each) => copiesFor(each, parameter, net)).find((each) => each !== undefined);
}

/**
 * The ranks by the layout that one reader wants; a Reshape reads the parameter in its stored
 * layout.
 */
function copiesFor(
  { op, traced, model }: PlacedOperator,
  parameter: TracedTensor,
  { layouts, same, rank }: Readers,
): readonly number[] | undefined {
  if (op === "Reshape") {
    const [{ from } = {}] = layouts.edgesInto(traced);
    return from && copiesAmong(from.deviceMatrix, from.tensorMap.flatMap(entryList), rank);
  }
  const at = traced.inputs.findIndex(
    (input) => input.kind === "tensor" && sourceOf(input, same) === parameter,
  );
  const map = model?.inputMaps[at];
  return model && map && copiesAmong(model.deviceMatrix, map.flatMap(entryList), rank);
}
