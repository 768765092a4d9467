import type { Span } from "#core/diagnostics";
import { wholePiece } from "#core/dimops";
import { fieldOf } from "#core/records";
import {
  bindArguments,
  boundOf,
  hostFunction,
  integer,
  integerOf,
  none,
  text,
  textOf,
} from "#language/document/words";
import {
  type Argument,
  type ClassValue,
  type Context,
  dictOf,
  type FunctionValue,
  type HostFunction,
  type HostObject,
  type HostType,
  hostClass,
  type InstanceValue,
  type Value,
} from "#language/python";

import { configObject } from "./policy-config.ts";
import { cutNode, literalSpan } from "./policy-cuts.ts";
import { countPassed, reportReturn, unassigned, uneven } from "./policy-faults.ts";
import { uniformLevels } from "./policy-levels.ts";
import type { PolicyNode } from "./policy-node.ts";
import { type PolicySetting, pieceLimit } from "./policy-setting.ts";

/** The classes that a policy may ask a node for. */
export class PolicyWords {
  readonly operationClass: ClassValue;
  private readonly states = new Map<InstanceValue, PolicyNode>();

  constructor() {
    this.operationClass = hostClass("IRFwOperation", {
      algorithm: ([self, tag], context, span) => this.algorithm(self, tag, context, span),
      transform_space: ([self]) => spaceOf(this.stateOf(self?.value)),
      inputs: ([self]) => tensorsOf(this.stateOf(self?.value), "inputs"),
      outputs: ([self]) => tensorsOf(this.stateOf(self?.value), "outputs"),
      isfw: () => ({ kind: "bool", value: true }),
    });
  }

  /** Runs a policy against all operators of a program. */
  run(func: FunctionValue, setting: PolicySetting, context: Context): void {
    const nodes = setting.recorder.trace.operators.map((operator): PolicyNode => {
      const bound = setting.isExact ? boundOf(operator) : undefined;
      return { operator, piece: bound && wholePiece(bound), devices: [] };
    });
    if (nodes.length === 0) return;
    const graph = this.graphObject(nodes, setting);
    const args = [graph, configObject(setting.devices)].map((value) => ({
      value,
      span: func.nameSpan,
    }));
    const answer = context.attempt(() => ({ value: context.call(func, args, func.nameSpan) }));
    if (answer === undefined) return;
    if (answer.value !== graph) reportReturn(func, answer.value, context);
    this.conclude(func, nodes, setting, context);
  }

  private conclude(
    func: FunctionValue,
    nodes: readonly PolicyNode[],
    { recorder }: PolicySetting,
    context: Context,
  ): void {
    const untouched = nodes.filter(({ cut, devices }) => cut === undefined && devices.length === 0);
    for (const node of nodes) {
      if (untouched.includes(node)) {
        recorder.trace.unassigned.push(node.operator);
        continue;
      }
      const found = uniformLevels(node);
      const span = node.cut?.span ?? func.nameSpan;
      if (found === undefined) context.report(uneven(node, span));
      else recorder.trace.partitions.push({ operator: node.operator, ...found, span });
      if (found?.pieces.some(({ devices }) => devices.length === 0)) {
        context.report(unassigned(node, span));
      }
    }
    if (untouched.length > 0) recorder.trace.policySpan = func.nameSpan;
  }

  private graphObject(nodes: readonly PolicyNode[], setting: PolicySetting): HostObject {
    const words: Readonly<Record<string, HostFunction["call"]>> = {
      nodes: () => ({
        kind: "list",
        items: nodes.map((node, index) => this.instance(node, index)),
      }),
      select: (args) => ({ kind: "list", items: this.select(nodes, args) }),
      partition: (args, context, span) => this.partition(args, setting, context, span),
      replicate: (args, context, span) => this.replicate(args, context, span),
      assign: (args, context, span) => this.assign(args, setting, context, span),
      full_tensors: () => {
        setting.recorder.trace.multiref = true;
        return { kind: "list", items: [] };
      },
      multiref: ([first]) => {
        setting.recorder.trace.multiref = true;
        return first?.value ?? none;
      },
      consumers: () => ({ kind: "list", items: [] }),
      producers: () => ({ kind: "list", items: [] }),
    };
    const quiet = ["recompute", "staging", "group", "blocking", "sequential", "depends"];
    const type: HostType = {
      name: "IRGraph",
      attribute: (_self, name) => {
        const call = Object.hasOwn(words, name) ? fieldOf(words, name) : undefined;
        if (call !== undefined) return hostFunction(name, call);
        return quiet.includes(name)
          ? hostFunction(name, ([first]) => first?.value ?? none)
          : undefined;
      },
      text: () => "IRGraph",
    };
    return { kind: "host", type, data: nodes };
  }

  private readonly instances = new Map<PolicyNode, InstanceValue>();

  /** The Python object of a node; one per node. */
  private instance(node: PolicyNode, index: number): InstanceValue {
    const known = this.instances.get(node);
    if (known !== undefined) return known;
    const { op, span } = node.operator;
    const attributes = new Map<string, Value>([
      ["name", text(op)],
      ["signature", text(op)],
      ["cid", integer(index)],
      ["comment", text(`${span.from}`)],
      ["module_stack", dictOf([])],
      ["device", { kind: "tuple", items: [] }],
      ["kwargs", dictOf([])],
    ]);
    const made: InstanceValue = { kind: "instance", type: this.operationClass, attributes };
    this.instances.set(node, made);
    this.states.set(made, node);
    return made;
  }

  private stateOf(value: Value | undefined): PolicyNode | undefined {
    return value?.kind === "instance" ? this.states.get(value) : undefined;
  }

  private select(nodes: readonly PolicyNode[], args: readonly Argument[]): Value[] {
    const { bound } = bindArguments(["name", "ntype", "flatten"], args);
    const name = textOf(bound.get("name")?.value);
    return nodes.flatMap((node, index) =>
      name === undefined || node.operator.op === name ? [this.instance(node, index)] : [],
    );
  }

  /** `node.algorithm('dim')`: the only tag that splits operators. */
  private algorithm(
    self: Argument | undefined,
    tag: Argument | undefined,
    context: Context,
    span: Span,
  ): Value {
    const name = textOf(tag?.value);
    if (name === "dim") return { kind: "host", type: algorithmType, data: self?.value };
    const message = `the algorithm '${name ?? ""}' is not registered: operators are split by 'dim'`;
    const place = tag?.span ?? span;
    return context.raise("ValueError", message, place, {
      code: "nnscaler/unknown-algorithm",
      fixes: [{ title: "Write 'dim'", edits: [{ ...place, text: "'dim'" }] }],
    });
  }

  private nodeIn(argument: Argument | undefined, context: Context, span: Span): PolicyNode {
    const node = this.stateOf(argument?.value);
    if (node !== undefined) return node;
    return context.raise("TypeError", "this needs a node of the graph", argument?.span ?? span);
  }

  private partition(
    args: readonly Argument[],
    setting: PolicySetting,
    context: Context,
    span: Span,
  ): Value {
    const { bound } = bindArguments(["node", "algo", "idx", "dim", "num"], args);
    const node = this.nodeIn(bound.get("node"), context, span);
    const [operand, count] = ["idx", "num"].map((name) => integerOf(bound.get(name)?.value));
    const dimValue = bound.get("dim")?.value;
    const dim = textOf(dimValue) === "v" ? "v" : integerOf(dimValue);
    if (operand === undefined || dim === undefined || count === undefined) {
      const given = { idx: operand, dim, num: count };
      const missing = Object.entries(given).flatMap(([name, value]) =>
        value === undefined ? [`"${name}"`] : [],
      );
      const message = `graph.partition() needs idx, dim and num as integers; here ${missing.join(" and ")} is missing`;
      const code = "nnscaler/partition-refused";
      const isCountless = operand !== undefined && dim !== undefined && !bound.has("num");
      const fixes = isCountless ? [countPassed(setting, context, span)] : [];
      return context.raise("AssertionError", message, span, { code, fixes });
    }
    const made = cutNode(node, { operand, dim, count }, setting, context, { span, bound });
    const countSpan = literalSpan(bound.get("num"));
    const pieces = made.pieces.map((piece) => (countSpan ? { ...piece, countSpan } : piece));
    node.cut = { ...made, pieces, span };
    return { kind: "list", items: pieces.map((piece, index) => this.instance(piece, index)) };
  }

  private replicate(args: readonly Argument[], context: Context, span: Span): Value {
    const { bound } = bindArguments(["node", "times"], args);
    const node = this.nodeIn(bound.get("node"), context, span);
    const times = integerOf(bound.get("times")?.value) ?? 0;
    if (times < 1 || times > pieceLimit) {
      const message = `graph.replicate() needs times between 1 and ${pieceLimit}`;
      return context.raise("ValueError", message, span, { code: "nnscaler/partition-refused" });
    }
    const { operator, piece } = node;
    const pieces = Array.from(
      { length: times },
      (): PolicyNode => ({ operator, piece, devices: [] }),
    );
    node.cut = { level: { count: times }, pieces, span };
    return { kind: "list", items: pieces.map((copy, index) => this.instance(copy, index)) };
  }

  private assign(
    args: readonly Argument[],
    { devices }: PolicySetting,
    context: Context,
    span: Span,
  ): Value {
    const { bound } = bindArguments(["node", "device"], args);
    const node = this.nodeIn(bound.get("node"), context, span);
    const device = integerOf(bound.get("device")?.value);
    if (device === undefined) {
      return context.raise("TypeError", "graph.assign() needs a device number", span);
    }
    if (device < 0 || device >= devices.length) {
      const code = "nnscaler/no-such-device";
      const message = `there is no device ${device}: the plan has ${devices.length}`;
      const { countSpan } = node;
      const fix = countSpan && {
        title: `Cut into ${devices.length} pieces`,
        edits: [{ ...countSpan, text: String(devices.length) }],
      };
      return context.raise("ValueError", message, span, { code, ...(fix && { fixes: [fix] }) });
    }
    node.devices.splice(0, node.devices.length, devices[device] ?? device);
    return { kind: "bool", value: true };
  }
}

const algorithmType: HostType = { name: "DimSplitEinops", text: () => "dim" };

function spaceOf(node: PolicyNode | undefined): Value {
  const bound = node?.piece?.bound;
  const pairs = bound === undefined ? [] : splittableDims(bound.annotation.inputs);
  return {
    kind: "list",
    items: pairs.map((pair) => ({ kind: "tuple", items: pair.map(integer) })),
  };
}

function splittableDims(
  shapes: NonNullable<PolicyNode["piece"]>["bound"]["annotation"]["inputs"],
): readonly (readonly number[])[] {
  return shapes.flatMap(({ dims, ignored }, operand) =>
    ignored
      ? []
      : dims.flatMap(({ identifiers }, dim) =>
          identifiers[0]?.reduction === "^" ? [] : [[operand, dim]],
        ),
  );
}

function tensorsOf(node: PolicyNode | undefined, side: "inputs" | "outputs"): Value {
  const operands = node?.operator[side] ?? [];
  const items = operands.map((operand) =>
    text(operand.kind === "tensor" ? (operand.name?.text ?? "tensor") : operand.text),
  );
  return { kind: "list", items };
}
