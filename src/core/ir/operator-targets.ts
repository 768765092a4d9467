// Targets: names of results or of module layers, by which a text says how operators are split.

import { groupedBy } from "#core/records";
import { type Operator, wildcardMatcher } from "./graph.ts";
import { modulePathParts } from "./module-tree.ts";

/** The operators that a target of a text means. */
export interface TargetedOperators {
  readonly operators: readonly Operator[];
  /** Whether the target is the full name or path of an operator, without `*`. */
  readonly isExact: boolean;
  /**
   * For each named module with several operators, those operators: the target does not say which
   * one it means.
   */
  readonly several: readonly (readonly Operator[])[];
}

/** Targets of the operators of one graph, in both directions. */
export interface OperatorTargets {
  /**
   * The operators that a target means: by the name of a result first, then by names with `*`, then
   * by the path of a module (also with `*`) that makes one operator.
   */
  readonly meant: (target: string) => TargetedOperators;
  /** The target of an operator: its path in the text, `blocks[3].attn.qkv`, else its name. */
  readonly targetOf: (operator: Operator) => string;
}

const nothing: TargetedOperators = { operators: [], isExact: false, several: [] };

/** Targets of the operators of a program; operators derived for training have none. */
export function operatorTargets(all: readonly Operator[]): OperatorTargets {
  const byName = new Map(all.map((operator) => [operator.name, operator]));
  let known: ReadonlyMap<string, readonly Operator[]> | undefined;
  const modules = () => {
    known ??= operatorsByModule(all);
    return known;
  };
  const targetOf = (operator: Operator): string => {
    const { module = "", name } = operator;
    const isAlone = module !== "" && modules().get(module)?.length === 1;
    return isAlone && !byName.has(module) ? module : name;
  };
  const meant = (target: string): TargetedOperators => {
    const own = byName.get(target);
    if (own !== undefined) return { ...nothing, operators: [own], isExact: true };
    const matches = wildcardMatcher(target);
    const named = all.filter(({ name }) => matches(name));
    if (named.length > 0) return { ...nothing, operators: named };
    const found = [...modules()].filter(([path]) => matches(path)).map(([, held]) => held);
    const several = found.filter((held) => held.length > 1);
    if (several.length > 0) return { ...nothing, several };
    return { ...nothing, operators: [...new Set(found.flat())], isExact: !target.includes("*") };
  };
  return { meant, targetOf };
}

/** Operators of each module, including the modules inside it. */
function operatorsByModule(all: readonly Operator[]): ReadonlyMap<string, readonly Operator[]> {
  const placed = all.filter(({ module = "", of }) => module !== "" && of === undefined);
  const inside = [...groupedBy(placed, ({ module = "" }) => module)].flatMap(([path, held]) => {
    const parts = modulePathParts(path);
    return parts.flatMap((_, at) =>
      held.map((operator) => [parts.slice(0, at + 1).join("."), operator] as const),
    );
  });
  return new Map(
    [...groupedBy(inside, ([path]) => path)].map(([path, held]) => [
      path,
      held.map(([, operator]) => operator),
    ]),
  );
}
