import { NotWritten, type TextModules } from "#systems/arrays";
import type { Held } from "../rules/plan-rests.ts";

/** The role of a weight in a decoder of MaxText. */
export type Role = "table" | "query" | "key" | "out" | "up" | "down" | "norm" | "last";

/**
 * For each role, MaxText's names of the dims of the text's weight, which is (out, in); a bias has
 * the first name. Source: `kernel_axes` in MaxText's layers.
 */
export const dimNames: Readonly<Record<Role, readonly [string, ...string[]]>> = {
  table: ["vocab", "embed_vocab"],
  query: ["q_heads", "embed"],
  key: ["kv_heads", "embed"],
  out: ["embed", "heads"],
  up: ["mlp", "embed"],
  down: ["embed", "mlp"],
  norm: ["norm"],
  last: ["vocab", "embed_vocab"],
};

/** Names of layers inside a block by role, as published models use them. */
const layerNames: readonly (readonly [Role, RegExp])[] = [
  ["query", /^(?:q|wq|q_proj|query)$/u],
  ["key", /^(?:k|v|wk|wv|k_proj|v_proj|key|value)$/u],
  ["out", /^(?:o|wo|o_proj|out_proj)$/u],
  ["up", /^(?:up|gate|w1|w3|up_proj|gate_proj)$/u],
  ["down", /^(?:down|w2|down_proj)$/u],
];

/** A weight or bias of a decoder. */
export interface DecoderWeight {
  readonly held: Held;
  readonly role: Role;
  readonly isBias: boolean;
}

/**
 * Parameters of a decoder with attention and two or three products per MLP, with their MaxText
 * roles.
 *
 * @throws NotWritten when the model has another parameter, or lacks one
 */
export function decoderWeights(
  parameters: readonly Held[],
  modules: TextModules | undefined,
): readonly DecoderWeight[] {
  const all = parameters.map((held): DecoderWeight => {
    const role = roleOf(held, modules);
    if (role === undefined)
      throw new NotWritten(
        `MaxText's rules are for its own decoders, and ${patternOf(held.name)} is none of their parameters`,
      );
    return { held, role, isBias: /(?:^|\.)bias$/u.test(held.name) };
  });
  const has = new Set(all.map(({ role }) => role));
  for (const [role, what] of needed)
    if (!has.has(role))
      throw new NotWritten(
        `MaxText's rules are for its own decoders, and the model has no ${what}`,
      );
  const tables = all.filter(({ role }) => role === "table");
  const [, second] = tables;
  if (second !== undefined)
    throw new NotWritten(
      `MaxText's decoder has one table, that of words, and the model has ${patternOf(second.held.name)} too`,
    );
  return all;
}

const needed: readonly (readonly [Role, string])[] = [
  ["table", "table of words"],
  ["query", "layer of queries"],
  ["key", "layers of keys and values"],
  ["out", "layer behind attention"],
  ["up", "layer that widens"],
  ["down", "layer that narrows"],
  ["norm", "norm"],
];

/** A dotted name with `*` in place of list indices. */
export function patternOf(name: string): string {
  return name.replace(/\.\d+(?=\.)/gu, ".*");
}

function roleOf({ name, tensor }: Held, modules: TextModules | undefined): Role | undefined {
  const [, module = "", own = ""] = /^(.*)\.([^.]+)$/u.exec(name) ?? [];
  if (own !== "weight" && own !== "bias") return undefined;
  const classes = modules?.classesOf.get(module) ?? [];
  if (classes.some((each) => /Norm$/u.test(each)))
    return tensor.shape.length === 1 ? "norm" : undefined;
  if (classes.includes("nn.Embedding")) return "table";
  if (!classes.includes("nn.Linear")) return undefined;
  if (!/(?:^|\.)\d+\./u.test(module)) return "last";
  const last = module.slice(module.lastIndexOf(".") + 1);
  return layerNames.find(([, pattern]) => pattern.test(last))?.[0];
}
