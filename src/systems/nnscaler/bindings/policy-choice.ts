import type { Diagnostic, Fix } from "#core/diagnostics";
import { choiceLine } from "#language/document/bindings";
import type { TextChoice } from "#language/document/trace";
import type { Context, FunctionValue, Value } from "#language/python";
import { functionOf } from "./parallelize.ts";

/** A function of the text with the signature of a policy, or with its usual name. */
export interface PolicyCandidate {
  /** The variable that holds it. */
  readonly name: string;
  readonly policy: Value;
  readonly func: FunctionValue;
  /** Parameters without a value, because of which it cannot run. */
  readonly missing: readonly string[];
}

/** Usual variable names of the policy in documents. */
const usualNames = ["pas_policy", "PAS", "policy"];

const configNames = /^(?:env_)?(?:cfg|config|compute_config|computeConfig|resource|resources|env)$/;

/**
 * The candidate policies of a text, the most likely first: a variable with a usual name that holds
 * a policy, a function with a usual name, then in order functions with a policy's signature that
 * nothing calls.
 */
export function candidatesIn(
  globals: ReadonlyMap<string, Value>,
  source: string,
): readonly PolicyCandidate[] {
  const found = [...globals].flatMap(([name, policy]): PolicyCandidate[] => {
    const func = functionOf(policy);
    const isUsual = usualNames.includes(name) && func?.parameters.length === 2;
    const isPartial = policy.kind === "instance" && usualNames.includes(name);
    if (func === undefined || func.nameSpan.from < 0) return [];
    if (policy.kind === "instance" && !isPartial) return [];
    if (!isUsual && !isPartial && !hasForm(func, source)) return [];
    const missing = isPartial ? [] : missingOf(func);
    return [{ name, policy, func, missing }];
  });
  const rank = (each: PolicyCandidate) => {
    const usual = usualNames.indexOf(each.name);
    if (usual >= 0) return each.name === each.func.name ? 1 : 0;
    if (each.missing.length > 0) return 4;
    return isCalled(each.func, source) ? 3 : 2;
  };
  const ranked = found.toSorted((one, other) => rank(one) - rank(other));
  return ranked.filter(({ func }, at) => ranked.findIndex((each) => each.func === func) === at);
}

/**
 * Whether a function has a policy's signature, `def f(graph, cfg)`, by parameter names or
 * annotations.
 */
function hasForm({ name, parameters }: FunctionValue, source: string): boolean {
  const [graph, config] = parameters;
  const annotation = (at: number) => {
    const span = parameters[at]?.annotationSpan;
    return span === undefined ? "" : source.slice(span.from, span.to);
  };
  if (graph === undefined) return false;
  const isGraph = graph.name === "graph" || /\bIRGraph\b/.test(annotation(0));
  if (config === undefined) return isGraph && /^(?:pas|policy)(?:_|$)/i.test(name);
  return isGraph && (configNames.test(config.name) || /ComputeConfig/.test(annotation(1)));
}

/** Parameters without a default after the graph and the configuration. */
function missingOf({ parameters }: FunctionValue): readonly string[] {
  return parameters
    .slice(2)
    .filter(({ kind, defaultTree }) => !kind.startsWith("var") && defaultTree === undefined)
    .map(({ name }) => name);
}

/** Whether the text calls a function somewhere outside itself. */
export function isCalled({ name, span }: FunctionValue, source: string): boolean {
  const others = (source.slice(0, span.from) + source.slice(span.to)).replace(/#.*$/gm, "");
  return new RegExp(`\\b${name}\\(`, "u").test(others);
}

/** The line that chooses a policy, and the edits that write it. */
function choosing(
  { name, missing }: Pick<PolicyCandidate, "name" | "missing">,
  source: string,
): Pick<TextChoice, "line" | "edits"> {
  const { writing } = choiceLine(source, /^pas_policy = (.+)$/);
  const line = `pas_policy = ${name}`;
  if (missing.length === 0) return { line, edits: writing(line) };
  const given = missing.map((each) => `${each}=1`).join(", ");
  const whole = `pas_policy = functools.partial(${name}, ${given})`;
  const hasImport = /^import functools$/m.test(source);
  return { line: whole, edits: writing(hasImport ? whole : `import functools\n${whole}`) };
}

/** The policies of a text as choices, with the edits that run each; empty for fewer than two. */
export function policyChoices(
  candidates: readonly PolicyCandidate[],
  running: FunctionValue | undefined,
  source: string,
): readonly TextChoice[] {
  if (candidates.length < 2) return [];
  return candidates.map(({ func }) => ({
    group: "policies",
    name: func.name,
    isChosen: func === running,
    ...choosing({ name: func.name, missing: missingOf(func) }, source),
  }));
}

/** The note that policies are defined but not run, with fixes that run them. */
export function notRun(
  policies: readonly PolicyCandidate[],
  running: string | undefined,
  { source }: Context,
): Diagnostic {
  const names = policies.map(({ func }) => `"${func.name}"`).join(", ");
  const lacking = policies.flatMap(({ func, missing }) => {
    const what = `"${missing.join('", "')}"`;
    return missing.length === 0 ? [] : [policies.length > 1 ? `${what} of "${func.name}"` : what];
  });
  const instead = running === undefined ? "no operator is drawn" : `"${running}" is`;
  const alone = policies.every(({ missing }) => missing.length > 0);
  const reasons = [
    ...(alone ? [] : [instead]),
    ...(lacking.length === 0
      ? []
      : [`nobody gives ${policies.length > 1 ? "" : "its "}${lacking.join(", ")}`]),
  ];
  const subject = policies.length > 1 ? `the policies ${names} are` : `the policy ${names} is`;
  return {
    code: "nnscaler/policy-not-run",
    severity: "info",
    message: `${subject} not run: ${reasons.join("; ")}`,
    span: policies[0]?.func.nameSpan ?? { from: 0, to: 0 },
    fixes: policies.map(({ func: { name }, missing }) => ({
      title: `Run ${name}`,
      edits: choosing({ name, missing }, source).edits,
    })),
  };
}

function atEnd(source: string, line: string): Fix["edits"][number] {
  const lead = source.endsWith("\n") || source === "" ? "" : "\n";
  return { from: source.length, to: source.length, text: `${lead}${line}\n` };
}

/**
 * The note that a policy has no operators to split; if the text has no classes, with a small model
 * as a fix.
 */
export function nothingToSplit(
  { name, func }: PolicyCandidate,
  globals: ReadonlyMap<string, Value>,
  { source }: Context,
): Diagnostic {
  const hasClasses = [...globals.values()].some(
    (value) => value.kind === "class" && (value.span?.from ?? -1) >= 0,
  );
  const step = hasClasses
    ? "Call the model of this text"
    : "Write a model and call it, or paste the one that it is for";
  const model = "y = torch.nn.Linear(64, 64)(Tensor((64, 64)))";
  return {
    code: "nnscaler/policy-waits",
    severity: "info",
    message: `the policy "${name}" is not run: nothing is drawn that it could split. ${step}`,
    span: func.nameSpan,
    ...(!hasClasses && {
      fixes: [{ title: "Write a small model", edits: [atEnd(source, model)] }],
    }),
  };
}
