import { product } from "#core/arithmetic";
import type { Json } from "#core/dimops";
import { operandDims } from "#core/dimops";
import { integer, integerOf, none, pythonOf, text } from "#language/document/bindings/values";
import { shapeOf, type TracedOperator } from "#language/document/trace";
import {
  type Argument,
  dictOf,
  type HostFunction,
  type InstanceValue,
  type Value,
} from "#language/python";
import type { GraphNodes, Stage } from "./graph-nodes.ts";
import { GradientFlow, type GraphValue, isValue, type NodeInput } from "./graph-values.ts";
import type { IrClasses, IrName } from "./ir-classes.ts";
import { signatureOf } from "./node-names.ts";
import { isUnannotated, type PolicyNode } from "./policy-node.ts";

/** One graph as a policy sees it. */
export interface GraphView {
  readonly nodes: GraphNodes;
  readonly classes: IrClasses;
  readonly source: string;
  /** Whether all sizes are known. */
  readonly isExact: boolean;
  /** The path of the module that calls an operator. */
  readonly modulePath: (operator: TracedOperator) => string;
}

/** Size assumed for open dims, while a policy only determines their divisors. */
const openSize = 64;

/** Python objects of the nodes, stages and tensors of one graph; one object for each. */
export class PolicyObjects {
  private readonly view: GraphView;
  private readonly flow: GradientFlow;
  private readonly made = new Map<PolicyNode | Stage | GraphValue, InstanceValue>();
  private readonly meant = new Map<InstanceValue, PolicyNode | Stage>();
  private readonly values = new Map<InstanceValue, GraphValue>();

  constructor(view: GraphView) {
    this.view = view;
    this.flow = new GradientFlow(view.source);
  }

  nodeOf(value: Value | undefined): PolicyNode | undefined {
    const found = this.meantBy(value);
    return found?.kind === "stage" ? undefined : found;
  }

  meantBy(value: Value | undefined): PolicyNode | Stage | undefined {
    return value?.kind === "instance" ? this.meant.get(value) : undefined;
  }

  /** The graph value of a tensor object, full or sub-tensor; `undefined` for other values. */
  valueOf(value: Value | undefined): GraphValue | undefined {
    return value?.kind === "instance" ? this.values.get(value) : undefined;
  }

  /** The object of a node or stage. */
  object(node: PolicyNode | Stage): InstanceValue {
    const known = this.made.get(node);
    if (known !== undefined) return known;
    const made = node.kind === "stage" ? this.segment() : this.cell(node);
    this.made.set(node, made);
    this.meant.set(made, node);
    return made;
  }

  private segment(): InstanceValue {
    const attributes = new Map<string, Value>([["name", text("segment")]]);
    return { kind: "instance", type: this.view.classes.IRSegment, attributes };
  }

  private cell(node: PolicyNode): InstanceValue {
    const { operator } = node;
    const path = operator === undefined ? "" : this.view.modulePath(operator);
    const attributes = new Map<string, Value>([
      ["name", text(node.name)],
      ["signature", text(this.signatureOf(node))],
      ["cid", integer(this.meant.size)],
      ["comment", none],
      ["mirror", none],
      ["module_stack", dictOf([[path, text(path)]])],
      ["op_context", none],
      ["kwargs", keywordsOf(operator)],
    ]);
    return { kind: "instance", type: this.view.classes[classOf(node)], attributes };
  }

  private signatureOf({ operator, name, kind }: PolicyNode): string {
    if (operator !== undefined) return signatureOf(operator, this.view.source);
    if (kind === "data") return "dataloader.__next__";
    return `nnscaler.runtime.function.${kind === "anchor" ? kind : name}`;
  }

  /** The full tensor object of a value. */
  full(value: GraphValue): InstanceValue {
    const known = this.made.get(value);
    if (known !== undefined) return known;
    const made = this.tensor("IRFullTensor", value, this.shapeOf(value));
    made.attributes.set("parent", made);
    this.made.set(value, made);
    return made;
  }

  /** The inputs of a node as Python values, in order. */
  inputsOf(node: PolicyNode): Value[] {
    const inputs = this.sideOf(node, "inputs");
    return inputs.map((input, at) => {
      if (!isValue(input))
        return input.integer === undefined ? text(input.text) : integer(input.integer);
      const grows = this.view.nodes.values.outputsOf(node).some((each) => this.isTrained(each));
      return this.part(node, input, at, this.isTrained(input) && (grows || !node.operator));
    });
  }

  outputsOf(node: PolicyNode): Value[] {
    const before = this.sideOf(node, "inputs").length;
    return this.sideOf(node, "outputs").map((output, at) =>
      isValue(output) ? this.part(node, output, before + at, this.isTrained(output)) : none,
    );
  }

  private sideOf(node: PolicyNode, side: "inputs" | "outputs"): readonly NodeInput[] {
    const { values, all } = this.view.nodes;
    const whole = all.find((each) => each === node || each.operator === node.operator) ?? node;
    return side === "inputs" ? values.inputsOf(whole) : values.outputsOf(whole);
  }

  private part(node: PolicyNode, value: GraphValue, at: number, hasGradient: boolean): Value {
    const bound = node.piece?.bound;
    const dims = bound === undefined ? [] : operandDims(bound, at);
    const local = dims.map(({ sizes }) => product(sizes));
    const whole = this.shapeOf(value);
    const made = this.tensor("IRSubTensor", value, local.length === whole.length ? local : whole);
    made.attributes.set("parent", this.full(value));
    if (!hasGradient) made.attributes.set("grad", none);
    return made;
  }

  private tensor(type: IrName, value: GraphValue, shape: readonly number[]): InstanceValue {
    const { name, dtype } = value.tensor;
    const isTrained = this.isTrained(value);
    const attributes = new Map<string, Value>([
      ["name", text(name?.text ?? "tensor")],
      ["tid", integer(this.values.size)],
      ["shape", { kind: "tuple", items: shape.map(integer) }],
      ["ndims", integer(shape.length)],
      ["dtype", text(dtype)],
      ["requires_grad", { kind: "bool", value: isTrained }],
      ["grad", isTrained ? { kind: "bool", value: true } : none],
    ]);
    const made: InstanceValue = { kind: "instance", type: this.view.classes[type], attributes };
    this.values.set(made, value);
    return made;
  }

  private isTrained({ tensor }: GraphValue): boolean {
    return this.flow.reaches(tensor);
  }

  private shapeOf({ tensor }: GraphValue): readonly number[] {
    if (this.view.isExact) return shapeOf(tensor);
    return (tensor.shape ?? []).map((size) => (typeof size === "number" ? size : openSize));
  }
}

/** The class of a node; an operator that nnScaler cannot split is no `IRDimops`. */
function classOf(node: PolicyNode): IrName {
  if (node.kind === "data") return "IRDataOperation";
  if (node.kind === "anchor") return "IRGraphAnchor";
  return isUnannotated(node) ? "IRFwOperation" : "IRDimops";
}

function keywordsOf(operator: TracedOperator | undefined): Value {
  const given: Readonly<Record<string, Json>> = operator?.kwargs ?? operator?.integers ?? {};
  return dictOf(Object.entries(given).map(([name, value]) => [name, pythonOf(value)]));
}

/** Methods of tensors, by nnScaler's names. */
export function tensorAnswers(
  objects: () => PolicyObjects | undefined,
): Readonly<Record<string, HostFunction["call"]>> {
  const roleIs = (role: string) => (args: readonly Argument[]) => truth(roleOf(args) === role);
  const roleOf = ([self]: readonly Argument[]) => objects()?.valueOf(self?.value)?.tensor.role;
  return {
    is_grad: () => truth(false),
    is_param: roleIs("parameter"),
    is_attr: roleIs("parameter"),
    is_buffer: () => truth(false),
    is_loss: () => truth(false),
    tosub: ([self]) => self?.value ?? none,
    nelement: ([self]) => integer(elementsOf(self?.value)),
  };
}

function elementsOf(value: Value | undefined): number {
  const shape = value?.kind === "instance" ? value.attributes.get("shape") : undefined;
  const sizes = shape?.kind === "tuple" ? shape.items.map((size) => integerOf(size) ?? 1) : [];
  return product(sizes);
}

function truth(value: boolean): Value {
  return { kind: "bool", value };
}
