/** The main kind of names in a MindSpore module: primitives and functions, layers, or neither. */
export type ModuleKind = "operators" | "layers" | "others";

/** Packages of MindSpore: the second part of a dotted module name. */
const packages: ReadonlySet<string> = new Set([
  ...["_checkparam", "_c_expression", "_extends", "amp", "boost", "common", "communication"],
  ...[
    "context",
    "dataset",
    "dtype",
    "experimental",
    "graph",
    "hal",
    "log",
    "mindrecord",
    "mint",
    "nn",
  ],
  ...["numpy", "ops", "parallel", "profiler", "rewrite", "runtime", "scipy", "train", "version"],
]);

/** Modules inside these packages, by any further part of their dotted names. */
const inner: ReadonlySet<string> = new Set([
  ...[
    "_inner_ops",
    "_infer_ops",
    "_primitive_cache",
    "_quant_ops",
    "_utils",
    "activation",
    "api",
    "array_ops",
  ],
  ...["auto_generate", "auto_parallel", "basic", "cell", "cell_wrapper", "combined", "comm_ops"],
  ...["composite", "container", "conv", "dropout", "dtype", "embedding", "function", "functional"],
  ...["gen_ops_def", "gen_ops_prim", "initializer", "inner_ops", "jit_config", "layer", "loss"],
  ...["math_ops", "metrics", "nn", "nn_ops", "normalization", "operations", "optim", "other_ops"],
  ...["parameter", "pooling", "primitive", "random_ops", "shard", "sparse_ops", "tensor"],
  ...[
    "thor_ops",
    "transformer",
    "utils",
    "wrap",
    "linalg",
    "special",
    "communication",
    "_comm_helper",
  ],
  ...[
    "_auto_parallel_context",
    "management",
    "callback",
    "model",
    "serialization",
    "_register_for_op",
    "math",
  ],
  ...[
    "_cell_wrapper _grad_ops _tensor ada_grad adafactor adam adamax adamw algo_parameter_config amp array_func",
    "audio cell_grad checkpoint_transform comm_func custom_ops data_sink dataset_helper debug_ops distributed",
    "dynamic_lr engine functional_overload grad_reducer image image_ops lamb learning_rate_schedule linalg_ops",
    "loss_scale loss_scale_manager lr_scheduler math_func momentum nn_func optimizer padding parallel_cell_wrapper",
    "parallel_grad_reducer reshard_func rmsprop rnn_cells rnns samplers sgd summary text transforms vision",
  ].flatMap((names) => names.split(" ")),
]);

/** Functions whose dotted names look like modules. */
const operatorNames: ReadonlySet<string> = new Set(
  ["mindspore.ops", "mindspore.ops.functional", "mindspore.ops.operations"].flatMap((owner) =>
    ["dtype", "tensor", "embedding", "shard", "dropout"].map((name) => `${owner}.${name}`),
  ),
);

/** The kind of a MindSpore module; `undefined` for a name that is no module. */
export function moduleKind(name: string): ModuleKind | undefined {
  const [first, top = "", ...rest] = name.split(".");
  if (first !== "mindspore" || !packages.has(top) || !rest.every((part) => inner.has(part))) {
    return undefined;
  }
  if (operatorNames.has(name)) return undefined;
  const isFunctional = rest.includes("functional");
  if (top === "nn" || (top === "mint" && rest.includes("nn") && !isFunctional)) return "layers";
  return top === "ops" || top === "mint" || top === "numpy" ? "operators" : "others";
}
