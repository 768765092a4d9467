import type { Operator } from "#core/ir";
import type { ExplainedText } from "#systems/system/explain";

/** The argument names by which a policy cuts an operator. */
export const configKeys = ["idx", "dim", "num"] as const;

export type ConfigKey = (typeof configKeys)[number];

/** The value of each argument, as written. */
export type ConfigGiven = Readonly<Partial<Record<ConfigKey, string>>>;

/** The written value of each argument inside the brackets that open at `from`. */
export function configIn(source: string, from: number): ConfigGiven {
  const inside = /^[^()]*(?:\([^()]*\)[^()]*)*/u.exec(source.slice(from + 1))?.[0] ?? "";
  const writtenFor = (key: string) =>
    new RegExp(`\\b${key}\\s*=\\s*([^,\\n)]+)`, "u").exec(inside)?.[1]?.trim();
  return Object.fromEntries(
    configKeys.flatMap((key) => {
      const value = writtenFor(key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/** The partitioned operator that matches the given numbers, else the first partitioned one. */
export function partitioned({ document }: ExplainedText, given: ConfigGiven): Operator | undefined {
  const operators = document.trace.partitions.flatMap(({ operator, levels }) => {
    const built = document.built.operatorOf.get(operator);
    return built === undefined ? [] : [{ built, levels }];
  });
  const cut = ({ built, levels }: (typeof operators)[number]) => {
    const dim = operandAt(built, Number(given.idx))?.dims[Number(given.dim)];
    return levels.some(({ identifier }) => identifier === dim?.splittable);
  };
  return (operators.find(cut) ?? operators[0])?.built;
}

/** An operand by its index in policies: inputs from 0, then outputs. */
export function operandAt(
  { inputs, outputs }: Operator,
  index: number,
): Operator["inputs"][number] | undefined {
  return [...inputs, ...outputs][index];
}
