import type { Span } from "#core/diagnostics";
import { wholePiece } from "#core/dimops";
import {
  bindArguments,
  hostFunction,
  itemsOf,
  none,
  textOf,
} from "#language/document/bindings/values";
import {
  type AssignedPiece,
  boundOf,
  type Level,
  type PolicyNodeName,
  type TracedOperator,
} from "#language/document/trace";
import type {
  Argument,
  ClassValue,
  Context,
  FunctionValue,
  HostFunction,
  InstanceValue,
  Value,
} from "#language/python";
import { GraphNodes } from "./graph-nodes.ts";
import { type IrClasses, irClasses } from "./ir-classes.ts";
import { nodeActs, nodeProperties } from "./node-answers.ts";
import { nodeNameOf } from "./node-names.ts";
import { boundThere } from "./own-annotations.ts";
import { graphActs, listed, segmentActs } from "./policy-actions.ts";
import { autodistSaid, reportReturn, unassigned, uneven } from "./policy-faults.ts";
import { leavesOf, type PolicyNode } from "./policy-node.ts";
import { PolicyObjects, tensorAnswers } from "./policy-objects.ts";
import type { Act, PolicyRun } from "./policy-run.ts";
import type { PolicySetting } from "./policy-setting.ts";
import { isStaged, repeatedOverAll, stagesSaid } from "./policy-stages.ts";
import { stagedWeights } from "./staged-weights.ts";

/** A policy of the text, with its arguments. */
export interface ChosenPolicy {
  readonly policy: Value;
  /** The function that implements it, of the text or of nnScaler. */
  readonly func: FunctionValue | undefined;
  /** Span for faults that belong to no call inside the policy. */
  readonly place: Span;
  readonly config: Value;
  /** Whether the graph begins with a data loader, as in end-to-end mode. */
  readonly isEndToEnd: boolean;
}

/** nnScaler's graph and nodes as a policy sees them; runs policies. */
export class PolicyBindings {
  /** Calls of `anchor` in the model; `before` is the number of operators traced before each. */
  readonly anchors: { readonly name: string; readonly before: number }[] = [];
  readonly classes: IrClasses;
  private readonly modulePath: (operator: TracedOperator) => string;
  private current: PolicyRun | undefined;
  /**
   * `parallelize_graph(graph, config)`: autodist's search, which is not run; reported as a warning.
   */
  readonly searched = hostFunction("parallelize_graph", ([graph], context, span) => {
    context.report({
      code: "nnscaler/policy-not-run",
      severity: "warning",
      message: autodistSaid,
      span,
    });
    if (this.current !== undefined) this.current.isSearched = true;
    return graph?.value ?? none;
  });

  constructor(modulePath: (operator: TracedOperator) => string) {
    this.modulePath = modulePath;
    this.classes = irClasses({
      node: this.bound(nodeActs),
      nodeProperties: this.bound(nodeProperties),
      tensor: tensorAnswers(() => this.current?.objects),
      segment: { ...this.bound(segmentActs), select: this.select },
      graph: { ...this.unbound(graphActs), outputs: this.results, inputs: () => emptyTuple },
    });
  }

  private bound(acts: Readonly<Record<string, Act>>): Record<string, HostFunction["call"]> {
    const entries = Object.entries(acts).map(([name, act]): [string, HostFunction["call"]] => [
      name,
      (args, context, span) =>
        this.current === undefined ? none : act(this.current, args, context, span),
    ]);
    return Object.fromEntries(entries);
  }

  /** Methods of the graph only: the receiver is dropped, since there is one graph. */
  private unbound(acts: Readonly<Record<string, Act>>): Record<string, HostFunction["call"]> {
    const all = Object.entries(this.bound(acts)).map(
      ([name, call]): [string, HostFunction["call"]] => [
        name,
        ([, ...args], context, span) => call(args, context, span),
      ],
    );
    return Object.fromEntries(all);
  }

  /**
   * `graph.select(name=…, ntype=…, flatten=True)`: the nodes with this name and of these classes.
   */
  private readonly select: HostFunction["call"] = (args, context, span) => {
    if (this.current === undefined) return none;
    const { bound } = bindArguments(["self", "name", "ntype", "flatten"], args);
    const flatten = bound.get("flatten")?.value;
    const isFlat = flatten?.kind !== "bool" || flatten.value;
    const name = textOf(bound.get("name")?.value);
    const types = typesIn(bound.get("ntype"), context);
    const found = itemsOf(listed(this.current, bound.get("self")?.value, isFlat)) ?? [];
    const items = found.filter(
      (node) =>
        node.kind === "instance" &&
        (name === undefined || textOf(context.getAttribute(node, "name", span)) === name) &&
        (types === undefined || types.some((type) => node.type.mro.includes(type))),
    );
    return { kind: "list", items };
  };

  private readonly results: HostFunction["call"] = () => {
    const { nodes, objects } = this.current ?? {};
    const values = nodes?.values.results() ?? [];
    return { kind: "tuple", items: values.flatMap((value) => objects?.full(value) ?? []) };
  };

  /** Runs a policy on all operators of a program. */
  run(chosen: ChosenPolicy, setting: PolicySetting, context: Context): void {
    const { source } = context;
    const { live, recorder } = setting;
    const traced = recorder.trace.operators.filter((each) => live?.has(each) !== false);
    const own = traced.map((operator): PolicyNode => {
      const bound = setting.isExact ? boundOf(operator) : undefined;
      const name = nodeNameOf(operator);
      const piece = bound && wholePiece(boundThere(operator, bound));
      return { kind: "operator", name, operator, piece, devices: [] };
    });
    if (own.length === 0) return;
    const marked = this.withAnchors(own, recorder.trace.operators);
    const { policy } = recorder.trace;
    if (policy !== undefined) {
      const nodes = traced.map((operator) => this.nodeName(operator));
      recorder.trace.policy = { ...policy, nodes };
    }
    const nodes = new GraphNodes(chosen.isEndToEnd ? [dataNode(), ...marked] : marked);
    const view = { nodes, classes: this.classes, source, modulePath: this.modulePath };
    const objects = new PolicyObjects({ ...view, isExact: setting.isExact });
    const run: PolicyRun = { nodes, objects, setting, isEndToEnd: chosen.isEndToEnd };
    this.current = run;
    if (this.returnsGraph(chosen, context) && !run.isSearched)
      conclude(chosen.place, own, run, context);
  }

  /** The operators with the model's anchors in between. */
  private withAnchors(
    own: readonly PolicyNode[],
    operators: readonly TracedOperator[],
  ): readonly PolicyNode[] {
    const places = own.map(({ operator }) => (operator ? operators.indexOf(operator) : -1));
    const anchorsIn = (from: number, to: number) =>
      this.anchors
        .filter(({ before }) => before > from && before <= to)
        .map(({ name }): PolicyNode => ({ kind: "anchor", name, piece: undefined, devices: [] }));
    return [
      ...own.flatMap((node, at) => [...anchorsIn(places[at - 1] ?? -1, places[at] ?? -1), node]),
      ...anchorsIn(places.at(-1) ?? -1, Number.POSITIVE_INFINITY),
    ];
  }

  private nodeName(operator: TracedOperator): PolicyNodeName {
    const name = nodeNameOf(operator);
    return { operator, name, layer: this.modulePath(operator) };
  }

  /** Calls the policy; returns false if an exception ended it. */
  private returnsGraph({ policy, func, config, place }: ChosenPolicy, context: Context): boolean {
    const type = this.classes.IRGraph;
    const graph: InstanceValue = { kind: "instance", type, attributes: new Map() };
    const takesGraphAlone = func !== undefined && func.parameters.length === 1;
    const given = takesGraphAlone ? [graph] : [graph, config];
    const args = given.map((value) => ({ value, span: place }));
    const answer = context.attempt(() => ({ value: context.call(policy, args, place) }));
    if (answer === undefined) return false;
    if (answer.value !== graph && func !== undefined) reportReturn(func, answer.value, context);
    return true;
  }
}

function dataNode(): PolicyNode {
  return { kind: "data", name: "dataloader", piece: undefined, devices: [] };
}

const emptyTuple: Value = { kind: "tuple", items: [] };

/** The classes of `ntype=…`, one or a tuple; `undefined` if it is not given. */
function typesIn(
  argument: Argument | undefined,
  context: Context,
): readonly ClassValue[] | undefined {
  const value = argument?.value;
  if (value === undefined || value.kind === "none") return undefined;
  const all = itemsOf(value) ?? [value];
  return all.flatMap((each) => {
    if (each.kind === "class") return [each];
    return context.raise(
      "TypeError",
      "ntype must be a class of nnScaler's graph",
      argument?.span ?? nowhere,
    );
  });
}

const nowhere = { from: 0, to: 0 };

/** Whether the plan uses only some of the devices, so that it is repeated over all of them. */
function usesPart(nodes: readonly PolicyNode[], { setting }: PolicyRun): boolean {
  const { allDevices, devices, recorder } = setting;
  if (devices.length < allDevices.length) return true;
  const used = new Set(nodes.flatMap(leavesOf).flatMap((leaf) => leaf.devices));
  return recorder.trace.meshes[0]?.isAssumed === true && used.size < allDevices.length;
}

/** Records the partition of every operator in the trace, and reports faults of the assignment. */
function conclude(
  place: Span,
  nodes: readonly PolicyNode[],
  run: PolicyRun,
  context: Context,
): void {
  const { trace } = run.setting.recorder;
  const isStagedPlan = isStaged(nodes, run);
  const isPart = isStagedPlan || usesPart(nodes, run);
  let isLeftAlone = false;
  for (const node of nodes) {
    const { operator } = node;
    if (operator === undefined) continue;
    if (node.cut === undefined && node.devices.length === 0) {
      isLeftAlone = true;
      trace.unassigned.push(operator);
      continue;
    }
    const found = uniformLevels(node);
    const span = node.cut?.span ?? place;
    const devices = run.setting.allDevices;
    const said = found && isPart ? repeatedOverAll(found, devices) : found;
    if (said === undefined) context.report(uneven(node, span));
    else trace.partitions.push({ operator, ...said, span });
    if (said !== undefined && leavesOf(node).some((leaf) => leaf.devices.length === 0)) {
      context.report(unassigned(node, span));
    }
  }
  if (isLeftAlone) trace.policySpan = place;
  if (!isStagedPlan) return;
  context.report(stagesSaid(nodes, run, place));
  if (!run.setting.isExact || trace.multiref === true) return;
  for (const fault of stagedWeights(run, place)) context.report(fault);
  // The drawn plan repeats each stage, so its readers' blocks need no further report.
  trace.multiref = true;
}

/**
 * The levels of a nested partition and its leaves; `undefined` if pieces are partitioned
 * differently.
 */
function uniformLevels(
  node: PolicyNode,
): { readonly levels: readonly Level[]; readonly pieces: readonly AssignedPiece[] } | undefined {
  if (node.cut === undefined) return { levels: [], pieces: [{ path: [], devices: node.devices }] };
  const { level, pieces } = node.cut;
  const inner = pieces.map(uniformLevels);
  const [first] = inner;
  if (first === undefined) return undefined;
  const key = JSON.stringify(first.levels);
  if (inner.some((each) => each === undefined || JSON.stringify(each.levels) !== key)) {
    return undefined;
  }
  return {
    levels: [level, ...first.levels],
    pieces: inner.flatMap((each, index) =>
      (each?.pieces ?? []).map(({ path, devices }) => ({ path: [index, ...path], devices })),
    ),
  };
}
