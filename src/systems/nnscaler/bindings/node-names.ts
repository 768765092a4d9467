import type { TracedOperator } from "#language/document/trace";

/** Names in nnScaler's graph that differ from those of the operator library. */
const renamed: Readonly<Record<string, string>> = {
  layer_norm: "layernorm",
  mm: "matmul",
  select: "fullslice",
  slice: "fullslice",
  getitem: "fullslice",
  gather: "gather",
  greater: "gt",
  greater_equal: "ge",
  less: "lt",
  less_equal: "le",
  equal: "eq",
  not_equal: "ne",
  floor_divide: "floordiv",
  batch_norm: "wrap_batchnorm2d_func",
  instance_norm: "wrap_instancenorm2d_func",
};

/** The module of a node's function, by its name in nnScaler's graph; `torch` by default. */
const homes: readonly (readonly [home: string, names: string])[] = [
  [
    "torch.nn.functional",
    "linear relu silu gelu dropout log_softmax cross_entropy nll_loss l1_loss pad unfold",
  ],
  ["torch.nn.functional", "group_norm rms_norm max_pool2d"],
  [
    "torch.Tensor",
    "view contiguous float to expand repeat long int bool type reshape masked_fill_",
  ],
  [
    "nnscaler.runtime.function",
    "layer_norm embedding einsum cat stack fullslice multiref identity anchor",
  ],
  ["nnscaler.runtime.function", "arange zeros ones full empty rand randn tensor"],
  ["torch._C._nn", "scaled_dot_product_attention log_sigmoid"],
  ["torch.functional", "split norm"],
  ["_operator", "gt ge lt le eq ne neg pow mod"],
  ["nnscaler.graph.function.wrapnn", "wrap_batchnorm2d_func wrap_instancenorm2d_func"],
];

const homeOf: ReadonlyMap<string, string> = new Map(
  homes.flatMap(([home, names]) => names.split(" ").map((name) => [name, home] as const)),
);

/** The name of an operator in nnScaler's graph (as traced by release 0.8). */
export function nodeNameOf({ op, function: called }: TracedOperator): string {
  return called === undefined && Object.hasOwn(renamed, op) ? (renamed[op] ?? op) : op;
}

/**
 * The signature of an operator in nnScaler's graph (function mapping of release 0.8). For a
 * function defined outside of the text, a quoted path in the text is used.
 */
export function signatureOf(operator: TracedOperator, source: string): string {
  const { op, span, function: called } = operator;
  const name = nodeNameOf(operator);
  if (called !== undefined || operator.isReplicated === true) {
    const label = called?.label ?? op;
    return quotedPath(label, source) ?? homeless(name, label, called);
  }
  if (name === "softmax") {
    const isPlain = /(?:torch|\w)\.softmax\(/.test(source.slice(span.from, span.to));
    const isFunctional = /\b(?:F|functional)\.softmax\(/.test(source.slice(span.from, span.to));
    const home = isPlain && !isFunctional ? "torch" : "torch.nn.functional";
    return `${home}.softmax`;
  }
  const last = name === "layernorm" ? "layer_norm" : name;
  return `${homeOf.get(last) ?? "torch"}.${last}`;
}

function homeless(name: string, label: string, called: TracedOperator["function"]): string {
  return called === undefined ? `${homeOf.get(name) ?? "torch"}.${name}` : `__main__.${label}`;
}

/**
 * A quoted dotted path that ends in a name, such as
 * `'ring_attention.ring_attn.wrap_ring_attn_func'`; else `undefined`.
 */
function quotedPath(label: string, source: string): string | undefined {
  if (!/^\w+$/.test(label)) return undefined;
  return new RegExp(`["']((?:\\w+\\.)+${label})["']`, "u").exec(source)?.[1];
}
