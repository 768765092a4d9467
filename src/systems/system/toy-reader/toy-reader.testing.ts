import type { Diagnostic } from "#core/diagnostics";
import { entryOf, type Tensor } from "#core/ir";
import { GraphBuilder } from "#core/ir/building";
import type { System } from "#systems/system";
import { formatOf, type GraphRead } from "#systems/system/graph";

/** Chains of products: `{"toy": {"x": [8, 4], "w": [4, 2]}, "matmuls": [["h", "x", "w"]]}`. */
interface Chain {
  readonly toy: Readonly<Record<string, readonly number[]>>;
  readonly matmuls: readonly (readonly [name: string, left: string, right: string])[];
}

/** A reader of one graph format: matrix products in JSON. */
export const toyReader: System = {
  name: "toy-reader",
  title: "Toy reader",
  graphs: formatOf({
    words: {
      title: "ToyGraph",
      target: "toy-graph",
      ownDtypes: { of: "Toy", names: ["f32"] },
    },
    isOne: (text) => /^\s*\{\s*"toy"/.test(text),
    read,
  }),
};

function read(text: string): GraphRead {
  const builder = new GraphBuilder();
  const diagnostics: Diagnostic[] = [];
  const chain = parsed(text);
  if (chain === undefined) return { graph: builder.graph(), diagnostics: [fault("is no JSON")] };
  const made = new Map<string, Tensor>();
  const second = new Set(chain.matmuls.map(([, , right]) => right));
  for (const [name, shape] of Object.entries(chain.toy)) {
    const role = second.has(name) ? "parameter" : "input";
    made.set(name, builder.give({ name, shape, dtype: "f32", role }));
  }
  for (const [name, ...operands] of chain.matmuls) {
    const inputs = operands.flatMap((operand) => made.get(operand) ?? []);
    const entry = entryOf("matmul");
    const lacking = operands.find((operand) => !made.has(operand));
    if (entry === undefined || lacking !== undefined) {
      diagnostics.push(fault(`"${name}" reads "${lacking}", which is not there`));
      continue;
    }
    const called = builder.call({ name, entry, inputs });
    diagnostics.push(...called.diagnostics);
    if (called.ok && called.value[0] !== undefined) made.set(name, called.value[0]);
  }
  return { graph: builder.graph(), diagnostics };
}

function parsed(text: string): Chain | undefined {
  try {
    return JSON.parse(text) as Chain;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

function fault(message: string): Diagnostic {
  return { code: "published/refused", severity: "error", message };
}
