import type { OperatorId } from "#core/ir";
import type { SystemReading } from "#language/document/bindings";
import type { TextModel, TextNode } from "#systems/arrays";
import { nodeNameOf } from "./bindings/node-names.ts";

export type { TextModel };

/**
 * The module that computes all operators of a text; `undefined` if several modules do, something is
 * computed outside of a module, or primitives of MindSpore occur.
 */
export function nodesOfText({
  trace,
  built,
  source,
}: Pick<SystemReading, "trace" | "built" | "source">): TextModel | undefined {
  const nodes = new Map<OperatorId, TextNode>();
  let root: ReturnType<NonNullable<typeof trace.moduleOf>>;
  for (const [traced, { id }] of built.operatorOf) {
    const called = traced.primitive === undefined ? trace.moduleOf?.(traced) : undefined;
    if (called === undefined || (root !== undefined && root.root !== called.root)) return undefined;
    root = called;
    const inputs = traced.inputs.flatMap(({ kind }, at) => (kind === "tensor" ? [at] : []));
    nodes.set(id, { module: called.path, name: nodeNameOf(traced), inputs });
  }
  if (root === undefined) return undefined;
  const { name } = root.root.type;
  const [separated] = trace.biasesAfterSums ?? [];
  const layer = separated && built.operatorOf.get(separated.operator)?.name;
  const refusal = `${layer} adds its bias to the sum of its parts, and nnScaler's linear layer with a bias has none`;
  return {
    ...{ name, made: constructionOf(name, source), nodes },
    ...(layer !== undefined && { refusal }),
  };
}

/**
 * The first call of a class with its arguments, if these contain no brackets; else a call without
 * arguments.
 */
function constructionOf(name: string, source: string): string {
  const call = new RegExp(`(?<!class\\s+)(?<![\\w.])${name}\\(([^()]*)\\)`, "u");
  return call.exec(source)?.[0] ?? `${name}()`;
}
