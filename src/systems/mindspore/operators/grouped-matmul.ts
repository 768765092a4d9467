import { type Diagnostic, passed } from "#core/diagnostics";
import { groupedInputs, groupedOperands } from "../primitives/grouped-matmul.ts";
import { specOf } from "../primitives/index.ts";
import {
  type OperatorCall,
  type OperatorRule,
  refused,
  type TupleCall,
  valuesFrom,
} from "./call.ts";

/**
 * GroupedMatmul: a strategy has one tuple per tensor of every list, and an empty one for an omitted
 * list. The first input and the first weight determine the pieces of rows, summed dim and columns;
 * an AllReduce per result combines the sums (`grouped_matmul_info`, and its compiled graphs).
 */
export const groupedMatmulRule: OperatorRule = {
  tuples: (call) => {
    const [[x = []] = [], [weight = []] = []] = entriesOf(call);
    const summed = x.at(-1) ?? 1;
    const [columns = 1, other = 1] = [weight.at(-1), weight.at(-2)];
    if (summed !== other) {
      return refused(
        `GroupedMatmul needs equal strategy values on the dim that is summed, but they are ${summed} and ${other}`,
      );
    }
    const links = specOf("GroupedMatmul")?.links(call);
    if (links === undefined || typeof links === "string") {
      return refused("what GroupedMatmul makes is not known here");
    }
    const deviceMatrix = [...x.slice(0, -1), summed, columns];
    const axes = valuesFrom(deviceMatrix.length, 0, deviceMatrix.length);
    const rows = axes.slice(0, -2);
    const mapOf = (name: string, rank: number) => {
      if (name === "x") return [...rows, 1];
      if (name === "weight") return [...Array.from({ length: rank - 2 }, () => -1), 1, 0];
      const last = name === "bias" && (entriesOf(call)[2]?.[0]?.at(-1) ?? 1) > 1 ? 0 : -1;
      return Array.from({ length: rank }, (_, dim) => (dim === rank - 1 ? last : -1));
    };
    const inputs = groupedInputs(call);
    const inputMaps = call.shapes.map(({ length }, input) => {
      const name = groupedOperands.find((each) => inputs[each]?.includes(input));
      return mapOf(name ?? "", length);
    });
    const outputs = links.outputs.map((dims) => ({
      shape: dims.map(({ size }) => size),
      map: dims.map((_, dim) => (dim === dims.length - 1 ? 0 : (rows[dim] ?? -1))),
    }));
    const forward =
      summed > 1 ? outputs.map(() => ({ primitive: "AllReduce", axes: [1] }) as const) : [];
    const isOfExperts = weight.length === 3 && (weight[0] ?? 1) > 1;
    return passed({ deviceMatrix, inputMaps, outputs, forward }, isOfExperts ? [expertsNote] : []);
  },
  noDefault:
    "GroupedMatmul has no strategy, and MindSpore 2.10 makes none for an operator of lists: give it one",
  cutSizes: (call) => {
    const inputs = groupedInputs(call);
    return groupedOperands.flatMap((name) => {
      const given = inputs[name] ?? [];
      return given.length === 0 ? [[]] : given.map((input) => call.shapes[input] ?? []);
    });
  },
};

/** Strategy tuples grouped by operand. */
function entriesOf(call: TupleCall): readonly (readonly (readonly number[])[])[] {
  let next = 0;
  return countsOf(call).map((count) => {
    next += count;
    return call.strategies.slice(next - count, next);
  });
}

/** Number of tuples per operand; 1 for an omitted one. */
export function countsOf(
  call: Pick<OperatorCall, "op" | "shapes" | "attributes">,
): readonly number[] {
  const inputs = groupedInputs(call);
  return groupedOperands.map((name) => Math.max(1, inputs[name]?.length ?? 0));
}

const expertsNote: Diagnostic = {
  code: "mindspore/wrong-values",
  severity: "warning",
  message:
    "GroupedMatmul with experts that are split: MindSpore 2.10 does not add what the other experts make, so its values are wrong",
};
