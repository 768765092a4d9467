/**
 * The parts that a worker loads only when a text or a question needs them
 * (docs/decisions/late-parts.md): the first drawing of a plain text runs none of them. By part and
 * folder the names of modules, `*` for all of them.
 */
const parts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  rest: {
    "src/language/document/edit": "*",
    "src/language/document": "page-found read-plan",
    "src/language/document/bindings": `
      advanced-index aliases arrays body-calls body-lints body-shapes boolean-tensors branch-on-data element-rules
      entries expert-gathers extremes guessed-rank index-checks introspection keyword-checks known-elements
      known-numbers layer-size list-changes load-state lone-layouts masked-update mersenne-twister
      missing-argument misspelt module-api module-calls module-copy module-drawing
      module-init module-places module-roots module-run module-sums module-tree module-types
      needs-shapes one-of open-classes picked-row registered-call registered-faults
      regular-expressions registering-checks reshard-word seeded-random set-checks tensor-index tensor-operators
      tensor-rows train-policy transposed-matmul unknown-calls value-checks
    `,
    "src/language/document/bindings/values": "plain-json",
    "src/language/document/graph": `
      arrangement bias-after-sum body-graph expert-facts mesh-settings read-pins
      read-training reshard-requests unread-results
    `,
    "src/language/document/trace": `
      after-unknown annotation-fixes annotation-for checkpoints follows one-step repetitions
      reshape-size rule-cuts size-fixes symbolic trace-body
    `,
    "src/language/pages": "marked-blocks",
    "src/language/python/compiling": `
      compile-assert compile-class compile-comprehension compile-format
      compile-function compile-import compile-match compile-suspending compile-try
      faults first-round generators suspend-expression
    `,
    "src/language/python/library": `
      attribute-builtins bind-arguments complex format format-fields format-number
      format-specification math math-integers math-of-many math-parts math-special modules
      number-constructors percent sort text-translation white-space
    `,
    "src/language/python/library/modules": "operator small",
    "src/language/python/reading": `
      compound definitions field-brackets forgotten-comma parameters patterns
    `,
    "src/language/python/values": `
      arithmetic attributes bind-call builtin-attributes compare container-operators
      default-methods equality initialize-subclass iterate keys length live-dict
      near-name numbers operator-methods operators own-of-class set-attribute
      set-item set-order subscript text truth
    `,
    "src/core/indexspace": "*",
    "src/app/scene/graph": "near-routes",
    "src/compile": "read-ends reshard-findings under-model",
    "src/core/collective": `
      apply-moves assert-moves box-holders box-lists complete exchange fetch
      messages received
    `,
    "src/core/cost": `
      alpa attention-kernels attention-terms autoparallel beside-bytes book
      checkpoint-calls contracts-axis convolution-kernels links-model models plain
      row-kernels term-parts under-model
    `,
    "src/core/cost/machines": "machine own-hardware read-figures spelling",
    "src/core/diagnostics": "text",
    "src/core/dimops": `
      argument choose-rule cut-warnings legality partition piece projections split
    `,
    "src/core/ir": `
      derived-gradient differentiate gradient-of module-tree rank-order
      reshape-annotation structural-key
    `,
    "src/core/ir/body": "point-body point-kernel",
    "src/core/mesh": "arrangement check-layout layout-text slices",
    "src/core/plan": "candidates stages strategies-to-write",
    "src/core/program": "fetch fold-align fold-body",
    "src/core/reshard": `
      axis-moves axis-state blocks canonical digit-cost digit-layout digit-moves
      digit-search digit-steps expand fallback front permutes reached-states
      route-planner time-line walk
    `,
    "src/core/schedule": "hidden-order open-tasks step-roles wires",
  },
  training: {
    "src/core/training": "*",
    "src/language/document/bindings": "train-policy",
    "src/app/scene/graph/training": `
      training-boxes training-cells training-edges training-stacks
    `,
    "src/compile": "recompute-budget",
  },
  service: {
    "src/app/language-service": "*",
    "src/edit": "*",
    "src/language/tokens": "*",
    "src/app/engine": "plan-code",
    "src/app/scene": "gallery",
    "src/app/scene/graph": "equal-blocks",
    "src/compile": "compare-policies export-graph upstream-run",
  },
  models: { "src/systems/torch/library": "published-models" },
  torch: { "src/systems/torch": "*" },
  mindspore: { "src/systems/mindspore": "*" },
  nnscaler: { "src/systems/nnscaler": "*" },
  dtensor: { "src/systems/dtensor": "*" },
  shardy: { "src/systems/shardy": "*" },
  loom: { "src/systems/loom": "*" },
};

/**
 * For each part, words of texts that nearly always need it: loading of the part begins when a text
 * has one. Nothing waits for that; if a text without such words needs the part, it is loaded then.
 */
const likely: Readonly<Record<string, RegExp>> = {
  rest: /^[ \t]*(?:class|def|for|if|with|@)\b/m,
  torch: /\btorch\b/,
  mindspore: /\bmindspore\b/,
  nnscaler: /\bnnscaler\b/,
  training: /\btrain\(/,
};

/** Modules of such folders that are loaded from the beginning. */
const first: Readonly<Record<string, string>> = {
  "src/systems/torch": "index system dialect prologue state-functions modules/code-target",
  "src/systems/mindspore": "index system verdict bindings/tensor-attributes export/code-target",
  "src/systems/nnscaler": "index system verdict known-functions export/code-target",
  "src/systems/dtensor": "index system verdict export/code-target",
  "src/systems/shardy": "index system",
  "src/systems/loom": "index system dtypes texts/index",
  "src/core/training": "index training casting-classes",
  "src/edit": "index gesture-kinds memory-remedies",
  "src/app/language-service": "index language-service facts graph-text",
  "src/language/tokens": "index grammar",
  "src/core/indexspace": "index",
  "src/edit/settings": "index",
  "src/language/document/edit": "index",
};

/** Objects and classes of such modules that other modules refer to before they use them. */
const objects: Readonly<Record<string, readonly string[]>> = {
  "src/systems/torch/bindings/bound-torch.ts": ["BoundTorch"],
  "src/systems/torch/bindings/layer-table.ts": ["torchLayerParameters"],
  "src/systems/mindspore/bindings/dynamic-lengths.ts": ["DynamicLengths"],
  "src/systems/mindspore/bindings/modules.ts": ["MindsporeBindings"],
  "src/systems/mindspore/commands/commands.ts": ["mindsporeCommands"],
  "src/systems/mindspore/explain/explain.ts": ["mindsporeExplains"],
  "src/systems/mindspore/rules.ts": ["mindsporeRules"],
  "src/systems/mindspore/run/run.ts": ["mindsporeRuns"],
  "src/systems/mindspore/run/steps.ts": ["mindsporeReshards"],
  "src/systems/nnscaler/bindings/modules.ts": ["NnscalerBindings"],
  "src/systems/nnscaler/bindings/parallelize.ts": ["PolicyRequests"],
  "src/systems/nnscaler/bindings/policies.ts": ["PolicyBindings"],
  "src/systems/nnscaler/bindings/policy-config.ts": ["PolicyConfigs"],
  "src/systems/nnscaler/explain/explain.ts": ["nnscalerExplains"],
  "src/systems/nnscaler/rules.ts": ["nnscalerRules"],
  "src/systems/nnscaler/run/run.ts": ["nnscalerRuns", "nnscalerReshards"],
  "src/systems/dtensor/run/run.ts": ["dtensorRuns", "dtensorReshards"],
};

/** The part of a module, by its path; `undefined` for one that is loaded from the beginning. */
export function partOf(module: string): string | undefined {
  return known.get(module) ?? partOfFolder(module);
}

/** The words of texts that likely need a part, if it has any. */
export function wordsOf(part: string): RegExp | undefined {
  return likely[part];
}

/** The objects and classes of a module that need stand-ins. */
export function objectsOf(module: string): readonly string[] {
  return objects[module] ?? [];
}

/** The modules in the tables, by path. */
export function modulesNamed(): readonly string[] {
  return [...known.keys(), ...Object.keys(objects), ...pathsIn(first)];
}

function partOfFolder(module: string): string | undefined {
  if (!module.endsWith(".ts") || firstModules.has(module)) return undefined;
  return folders.find(({ folder }) => module.startsWith(folder))?.part;
}

function pathsIn(named: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(named).flatMap(([folder, names]) =>
    names
      .split(/\s+/)
      .flatMap((name) => (name === "" || name === "*" ? [] : [`${folder}/${name}.ts`])),
  );
}

const known: ReadonlyMap<string, string> = new Map(
  Object.entries(parts).flatMap(([part, named]) =>
    pathsIn(named).map((path) => [path, part] as const),
  ),
);
const folders = Object.entries(parts).flatMap(([part, named]) =>
  Object.entries(named).flatMap(([folder, names]) =>
    names === "*" ? [{ folder: `${folder}/`, part }] : [],
  ),
);
const firstModules: ReadonlySet<string> = new Set(pathsIn(first));
