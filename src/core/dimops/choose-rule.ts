import type { Diagnostic } from "#core/diagnostics";
import type { Identifier, ShapeAnno } from "./annotation.ts";
import type { Bound } from "./bind.ts";
import { leadingIdentifier } from "./index-axes.ts";
import { annotatedDim, shapeOf, splitAt } from "./legality.ts";
import type { CutConfig, Split, TransformRule } from "./split.ts";

/** The rule of a legal cut, with the identifier that it cuts when the annotation implies it. */
export type ChosenRule =
  | { readonly kind: "rule"; readonly rule: TransformRule }
  | { readonly kind: "default"; readonly rule: TransformRule; readonly identifier: Identifier }
  | { readonly kind: "failed"; readonly diagnostic: Diagnostic };

/**
 * Effect of a legal cut on every operand: by the first special rule that names it, else as the
 * annotation implies. A special rule is compared with the dim as it was written (dimops.md §3).
 */
export function chooseRule(
  bound: Bound,
  config: CutConfig,
  rules: readonly TransformRule[],
): ChosenRule {
  for (const rule of rules) {
    const split = splitAt(rule, config.operand);
    if (config.dim === "v" && split?.kind === "V") return { kind: "rule", rule };
    if (config.dim === "v" || split?.kind !== "D") continue;
    if (config.operand >= bound.inputs.length) return { kind: "failed", diagnostic: ruledOutput };
    const rank = shapeOf(bound, config.operand)?.length ?? 0;
    if (split.dims.some((dim) => (dim + rank) % rank === config.dim)) return { kind: "rule", rule };
  }
  const dim = annotatedDim(bound, config);
  const identifier = dim && leadingIdentifier(dim, bound.sizes, config.count);
  if (identifier === undefined || identifier.reduction === "^") {
    return { kind: "failed", diagnostic: noRuleLeft };
  }
  return { kind: "default", rule: impliedRule(bound, identifier), identifier };
}

/** The effect of cutting an identifier on each operand (the table of dimops.md §3). */
function impliedRule({ annotation }: Bound, { name, reduction }: Identifier): TransformRule {
  const lacking: Split = { kind: reduction === "+" ? "V" : "R" };
  return {
    inputs: annotation.inputs.map((shape) => splitOf(shape, name, { kind: "R" })),
    outputs: annotation.outputs.map((shape) => splitOf(shape, name, lacking)),
  };
}

function splitOf(shape: ShapeAnno, name: string, lacking: Split): Split {
  const dims = shape.dims.flatMap(({ identifiers }, dim) => {
    return identifiers.some((identifier) => identifier.name === name) ? [dim] : [];
  });
  return dims.length === 0 ? lacking : { kind: "D", dims };
}

const ruledOutput: Diagnostic = {
  code: "dimops/ruled-output",
  severity: "error",
  message: "a special rule cuts this output by a dim, so the cut must be named through an input",
  upstream: "IndexError",
};

const noRuleLeft: Diagnostic = {
  code: "dimops/negative-ruled-dim",
  severity: "error",
  message: "a special rule allows this cut, but is found only by a dim that counts from the front",
  upstream: "AttributeError",
};
