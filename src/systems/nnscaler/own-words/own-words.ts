import type { TextEdit } from "#core/diagnostics";
import type { Operator, OperatorId } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import { fieldOf } from "#core/records";
import type { OwnWords, PlanWriting } from "#language/document/bindings";
import { behindImports } from "#language/document/edit";
import type { AxisLists, TracedOperator } from "#language/document/trace";
import { nodeNameOf } from "../bindings/node-names.ts";
import { type NodeCuts, policyBody } from "./policy-text.ts";

/**
 * Edits that write a plan as a policy which partitions every node. It replaces the body of the
 * policy that the text runs, or becomes a new function that the call names, or is added at the end
 * of a text that imports nnScaler. It has one level of partition per mesh axis, outermost first.
 */
export function nnscalerWords(writing: PlanWriting): OwnWords {
  const { trace, built, source, wanted, planned, mesh } = writing;
  const isOwn = trace.policy !== undefined || /^(?:import|from) nnscaler\b/mu.test(source);
  const nodes = nodesOf(writing);
  const unsaid = new Map<OperatorId, string>();
  if (!isOwn || nodes.length === 0) return { passages: [], unsaid };
  const cut = nodes.map(({ traced, operator, ...node }): NodeCuts => {
    const cuts = levelsOf(traced, operator, planned.get(operator.id), mesh);
    unsaid.set(operator.id, typeof cuts === "string" ? cuts : refused);
    return { ...node, cuts: typeof cuts === "string" ? [] : cuts };
  });
  const operators = [...built.operatorOf.values()].flatMap(({ id }) =>
    wanted.has(id) && unsaid.get(id) === refused ? [id] : [],
  );
  if (operators.length === 0) return { passages: [], unsaid };
  const edits = policyEdits(writing, cut);
  return { passages: [{ operators, isWhole: true, manners: [{ edits }] }], unsaid };
}

const refused = "nnScaler does not partition it so";

interface Node {
  readonly traced: TracedOperator;
  readonly operator: Operator;
  readonly name: string;
  readonly layer: string;
}

/** The nodes of nnScaler's graph in order; primitives of MindSpore are excluded. */
function nodesOf({ trace, built }: PlanWriting): readonly Node[] {
  const known = new Map(trace.policy?.nodes.map((node) => [node.operator, node]));
  return [...built.operatorOf].flatMap(([traced, operator]): readonly Node[] => {
    if (traced.primitive !== undefined) return [];
    const name = known.get(traced)?.name ?? nodeNameOf(traced);
    return [{ traced, operator, name, layer: known.get(traced)?.layer ?? "" }];
  });
}

/**
 * For each mesh axis of more than one device the input and dim that it cuts, or why no partition
 * can express it.
 */
function levelsOf(
  traced: TracedOperator,
  operator: Operator,
  lists: AxisLists | undefined,
  { axes }: DeviceMesh,
): NodeCuts["cuts"] | string {
  if (lists === undefined) return "nnScaler adds partial sums up where they are made";
  const names = axes.flatMap(({ name, size }) => (size > 1 ? [name] : []));
  const levels = names.map((axis) => {
    const identifier = Object.keys(lists).find((name) => fieldOf(lists, name)?.includes(axis));
    return identifier === undefined ? undefined : operandDim(traced, operator, identifier);
  });
  if (levels.includes("none")) return "no dim of an input has what it is split along";
  const isSplit = levels.some((level) => level !== undefined);
  if (isSplit && traced.isReplicated === true)
    return "nnScaler has no annotation of it, and runs it on every device";
  const isOrdered = Object.values(lists).every((list) =>
    list.every((axis, at) => names.indexOf(axis) >= names.indexOf(list[at - 1] ?? axis)),
  );
  if (!isOrdered) return "one dim is cut by axes in another order than the mesh has";
  return levels.map((level) => (level === "none" ? undefined : level));
}

/**
 * The first input with the identifier, counted as in policies, which count numbers as inputs too.
 */
function operandDim(
  { inputs }: TracedOperator,
  operator: Operator,
  identifier: string,
): readonly [idx: number, dim: number] | "none" {
  const tensors = inputs.flatMap((input, index) => (input.kind === "tensor" ? [index] : []));
  for (const [at, { dims }] of operator.inputs.entries()) {
    const dim = dims.findIndex(({ splittable }) => splittable === identifier);
    const idx = tensors[at];
    if (dim >= 0 && idx !== undefined) return [idx, dim];
  }
  return "none";
}

/** Edits that insert the policy and the imports that it needs. */
function policyEdits(
  { trace, source, mesh, boundNames }: PlanWriting,
  nodes: readonly NodeCuts[],
): readonly TextEdit[] {
  const { body, graph = "graph", argument } = trace.policy ?? {};
  const written = policyBody(nodes, mesh, graph);
  const missing = written.imports.filter(({ name }) => !boundNames.has(name));
  const at = behindImports(source);
  const imports = missing.map(({ line }) => `${line}\n`).join("");
  const needed = imports === "" ? [] : [{ from: at, to: at, text: imports }];
  if (body !== undefined) {
    const start = source.lastIndexOf("\n", body.from - 1) + 1;
    const own = /^[ \t]*$/u.test(source.slice(start, body.from));
    const indent = own ? source.slice(start, body.from) : "    ";
    const lines = indented(written.lines, indent).join("\n");
    const text = own ? lines.slice(indent.length) : `\n${lines}`;
    const tail = /\s*$/u.exec(source.slice(body.from, body.to))?.[0] ?? "";
    return [...needed, { ...body, text: `${text}${tail}` }];
  }
  const name = boundNames.has("planned") ? "planned_policy" : "planned";
  const header = `def ${argument === undefined ? "PAS" : name}(graph, cfg):`;
  const text = [header, ...indented(written.lines, "    ")].join("\n");
  if (argument === undefined) {
    const lead = source.endsWith("\n") ? "\n" : "\n\n";
    return [...needed, { from: source.length, to: source.length, text: `${lead}${text}\n` }];
  }
  const before = statementAt(source, argument.from);
  return [
    ...needed,
    { from: before, to: before, text: `${text}\n\n` },
    { ...argument, text: name },
  ];
}

function indented(lines: readonly string[], indent: string): readonly string[] {
  return lines.map((line) => `${indent}${line}`);
}

/** The start of the module-level statement that contains a position. */
function statementAt(source: string, place: number): number {
  const starts = [...source.slice(0, place).matchAll(/^[^\s#)\]}]/gmu)];
  return starts.at(-1)?.index ?? 0;
}
