import type { Span } from "#core/diagnostics";
import {
  bindArguments,
  integerOf,
  itemsOf,
  none,
  textOf,
} from "#language/document/bindings/values";
import type { Argument, Context, Value } from "#language/python";

import { cutNode, literalSpan } from "./policy-cuts.ts";
import { countPassed, notRunHere } from "./policy-faults.ts";
import { leavesOf, type PolicyNode, pieceOf } from "./policy-node.ts";
import type { Act, PolicyRun } from "./policy-run.ts";
import { pieceLimit } from "./policy-setting.ts";

/** Methods by which a policy transforms the graph, from `nnscaler/graph/graph.py`. */
export const graphActs: Readonly<Record<string, Act>> = {
  partition,
  replicate,
  assign,
  multiref: ({ nodes, objects, setting }, args) => {
    setting.recorder.trace.multiref = true;
    const value = objects.valueOf(bindArguments(["ftensor"], args).bound.get("ftensor")?.value);
    return value === undefined || value.consumers.length === 0
      ? none
      : objects.object(nodes.multiref(value));
  },
  staging: (run, args, context, span) => staged(run, args, context, span),
  blocking: (run, args, context, span) => staged(run, args, context, span),
  recompute: () => ({ kind: "bool", value: true }),
  depends: () => ({ kind: "bool", value: false }),
  ...Object.fromEntries(
    ["fuse", "group", "sequential", "reside", "single_consume", "create_segment"].map((name) => [
      name,
      (_: PolicyRun, [first]: readonly Argument[], context: Context, span: Span) => {
        context.report(notRunHere(`graph.${name}`, span));
        return first?.value ?? none;
      },
    ]),
  ),
};

/**
 * Methods by which a policy queries the graph or one of its stages (`nnscaler/graph/segment.py`).
 */
export const segmentActs: Readonly<Record<string, Act>> = {
  nodes: (run, args) => {
    const { bound } = bindArguments(["self", "flatten"], args);
    return listed(run, bound.get("self")?.value, isTrue(bound.get("flatten")?.value));
  },
  full_tensors: (run) => {
    run.setting.recorder.trace.multiref = true;
    return {
      kind: "tuple",
      items: run.nodes.ordered().map((value) => run.objects.full(value)),
    };
  },
  consumers: (run, args) => readers(run, args, "consumers"),
  producers: (run, args) => readers(run, args, "producer"),
  segment: (_, [self]) => self?.value ?? none,
};

function isTrue(value: Value | undefined): boolean {
  return value?.kind === "bool" && value.value;
}

/** The current nodes of a graph or stage. */
export function listed(
  { nodes, objects }: PolicyRun,
  self: Value | undefined,
  isFlat: boolean,
): Value {
  const meant = objects.meantBy(self);
  const found = meant?.kind === "stage" ? meant.nodes.flatMap(leavesOf) : nodes.current({ isFlat });
  return { kind: "tuple", items: found.map((node) => objects.object(node)) };
}

function readers(
  { objects, nodes }: PolicyRun,
  args: readonly Argument[],
  side: "consumers" | "producer",
): Value {
  const value = objects.valueOf(
    bindArguments(["self", "ftensor"], args).bound.get("ftensor")?.value,
  );
  const made = value?.producer === undefined ? [] : leavesOf(value.producer);
  const found = side === "producer" ? made : value === undefined ? [] : nodes.readersOf(value);
  return { kind: "tuple", items: found.map((node) => objects.object(node)) };
}

function staged(run: PolicyRun, args: readonly Argument[], context: Context, span: Span): Value {
  const given = itemsOf(bindArguments(["nodes"], args).bound.get("nodes")?.value) ?? [];
  const starts = given.map((item) => run.objects.nodeOf(item));
  if (starts.length === 0 || !starts.every((node) => node !== undefined)) {
    return context.raise(
      "AssertionError",
      "graph.staging() needs the first node of each stage",
      span,
    );
  }
  run.nodes.staging(starts);
  run.stagedAt = span;
  return none;
}

function nodeIn(
  { objects }: PolicyRun,
  argument: Argument | undefined,
  context: Context,
  span: Span,
): PolicyNode {
  const node = objects.nodeOf(argument?.value);
  if (node !== undefined) return node;
  return context.raise("TypeError", "this needs a node of the graph", argument?.span ?? span);
}

function partition(run: PolicyRun, args: readonly Argument[], context: Context, span: Span): Value {
  const { bound } = bindArguments(["node", "algo", "idx", "dim", "num"], args);
  const node = nodeIn(run, bound.get("node"), context, span);
  const { setting, objects } = run;
  if (node.kind === "multiref") return { kind: "list", items: [objects.object(node)] };
  const [operand, count] = ["idx", "num"].map((name) => integerOf(bound.get(name)?.value));
  const dimValue = bound.get("dim")?.value;
  const dim = textOf(dimValue) === "v" ? "v" : integerOf(dimValue);
  if (operand === undefined || dim === undefined || count === undefined) {
    const isCountless = operand !== undefined && dim !== undefined && !bound.has("num");
    const fixes = isCountless ? [countPassed(setting, context, span)] : [];
    const message = missing({ idx: operand, dim, num: count });
    return context.raise("AssertionError", message, span, { code: refusedCode, fixes });
  }
  const made = cutNode(node, { operand, dim, count }, setting, context, { span, bound });
  const countSpan = literalSpan(bound.get("num"));
  const pieces = made.pieces.map((piece) => (countSpan ? { ...piece, countSpan } : piece));
  node.cut = { ...made, pieces, span };
  return { kind: "list", items: pieces.map((piece) => objects.object(piece)) };
}

const refusedCode = "nnscaler/partition-refused";

function missing(given: Readonly<Record<string, unknown>>): string {
  const names = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [`"${name}"`] : [],
  );
  return `graph.partition() needs idx, dim and num as integers; here ${names.join(" and ")} is missing`;
}

function replicate(run: PolicyRun, args: readonly Argument[], context: Context, span: Span): Value {
  const { bound } = bindArguments(["node", "times"], args);
  const node = nodeIn(run, bound.get("node"), context, span);
  if (node.kind === "multiref") return { kind: "list", items: [run.objects.object(node)] };
  const times = bound.has("times") ? (integerOf(bound.get("times")?.value) ?? 0) : 1;
  if (times < 1 || times > pieceLimit) {
    const message = `graph.replicate() needs times between 1 and ${pieceLimit}`;
    return context.raise("ValueError", message, span, { code: refusedCode });
  }
  const pieces = Array.from({ length: times }, () => pieceOf(node, node.piece));
  node.cut = { level: { count: times }, pieces, span };
  return { kind: "list", items: pieces.map((copy) => run.objects.object(copy)) };
}

function assign(run: PolicyRun, args: readonly Argument[], context: Context, span: Span): Value {
  const { bound } = bindArguments(["node", "device"], args);
  const meant = run.objects.meantBy(bound.get("node")?.value);
  const targets: readonly PolicyNode[] =
    meant?.kind === "stage"
      ? meant.nodes.flatMap(leavesOf)
      : [nodeIn(run, bound.get("node"), context, span)];
  const { devices } = run.setting;
  const device = integerOf(bound.get("device")?.value);
  if (device === undefined) {
    const isUnknown = bound.get("device")?.value.kind === "host";
    const why = isUnknown ? "which device this assigns is not known here" : undefined;
    return context.raise("TypeError", why ?? "graph.assign() needs a device number", span);
  }
  for (const node of targets) {
    if (device < 0 || device >= devices.length)
      return noSuchDevice(node, device, run, context, span);
    node.devices.splice(0, node.devices.length, devices[device] ?? device);
  }
  return { kind: "bool", value: true };
}

function noSuchDevice(
  { countSpan }: PolicyNode,
  device: number,
  { setting: { devices } }: PolicyRun,
  context: Context,
  span: Span,
): Value {
  const fix = countSpan && {
    title: `Cut into ${devices.length} pieces`,
    edits: [{ ...countSpan, text: String(devices.length) }],
  };
  return context.raise(
    "ValueError",
    `there is no device ${device}: the plan has ${devices.length}`,
    span,
    {
      code: "nnscaler/no-such-device",
      ...(fix && { fixes: [fix] }),
    },
  );
}
