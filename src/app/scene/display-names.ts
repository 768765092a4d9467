// Display names of a program's operators and tensors.

import type { Compiled, TensorRead, TensorView } from "#compile";
import {
  type Graph,
  layerPaths,
  type Operator,
  type OperatorId,
  type Tensor,
  type TensorId,
} from "#core/ir";
import type { ValueId } from "#core/program";
import { tensorsOf } from "./graph/tensor-caption.ts";
import { homesOf } from "./operator-homes.ts";
import { rememberedFor } from "./remembered.ts";
import { isDrawnByRows, labelsOf } from "./row-labels.ts";

type Drawn = Pick<Compiled, "graph" | "program">;

const operatorsOf = rememberedFor(
  ({ operators }: Graph): ReadonlyMap<OperatorId, Operator> =>
    new Map(operators.map((each) => [each.id, each])),
);

const valuesOf = rememberedFor(
  ({ values }: Drawn["program"]): ReadonlyMap<ValueId, TensorId> =>
    new Map(values.map(({ id, tensor }) => [id, tensor])),
);

/** Display names by id; an id that the program does not have is its own name. */
export interface DisplayNames {
  readonly operator: (id: OperatorId) => string;
  /**
   * An operator with its call: `h = matmul(x, w)`; by rows `blocks[3].attn.qkv: self.qkv(x)`,
   * `blocks[3].∂+: identity`.
   */
  readonly made: (id: OperatorId) => string;
  readonly tensor: (id: TensorId) => string;
  /** The name of a value: that of its tensor. */
  readonly value: (id: ValueId) => string;
}

/**
 * Names as in the drawing. In a drawing by rows an operator's name is its card's label after the
 * path of its module (`blocks[3].attn.qkv`, `blocks[3].+`, `blocks[3].∂+`), and an unnamed result
 * is called by its operator; otherwise it is the name of the text. Program texts, links and ids
 * always use the names of the text.
 */
export const displayNames: (compiled: Drawn) => DisplayNames = rememberedFor(
  (compiled: Drawn): DisplayNames => {
    const { graph } = compiled.program;
    const operators = operatorsOf(graph);
    const tensors = tensorsOf(graph);
    const ofOperator = isDrawnByRows(compiled) ? rowNames(compiled) : nameOf;
    const ofTensor = (tensor: Tensor): string => {
      const base = tensor.gradientOf === undefined ? undefined : tensors.get(tensor.gradientOf);
      if (base !== undefined) return ofTensor(base) + suffix(tensor.name, base.name);
      const producer = tensor.producer && operators.get(tensor.producer);
      const isItsResult = producer?.name === tensor.name && producer.outputs.length === 1;
      return isItsResult ? ofOperator(producer) : tensor.name;
    };
    return {
      operator: (id) => {
        const operator = operators.get(id);
        return operator === undefined ? id : ofOperator(operator);
      },
      made: (id) => {
        const operator = operators.get(id);
        return operator === undefined ? id : madeBy(operator, ofOperator(operator));
      },
      tensor: tensorName,
      value: (id) => tensorName(valuesOf(compiled.program).get(id) ?? id),
    };
    function tensorName(id: string): string {
      const tensor = tensors.get(id as TensorId);
      return tensor === undefined ? id : ofTensor(tensor);
    }
  },
);

/** A tensor view whose readers have the names of their cards. */
export function withDisplayedReaders(compiled: Drawn, view: TensorView): TensorView {
  if (view.reads === undefined || !isDrawnByRows(compiled)) return view;
  const said = displayNames(compiled);
  const operators = operatorsOf(compiled.program.graph);
  const saidRead = (read: TensorRead): TensorRead => {
    const name = operators.get(read.operator)?.name ?? read.reader;
    // The reader's name is followed by the number of the operand, if the operator reads the tensor
    // more than once.
    const operand = read.reader.startsWith(name) ? read.reader.slice(name.length) : "";
    return { ...read, reader: `${said.operator(read.operator)}${operand}` };
  };
  const { shown } = view;
  const shownAs = shown === undefined ? {} : { shown: saidRead(shown) };
  return { ...view, reads: view.reads.map(saidRead), ...shownAs };
}

/**
 * An operator's name with its call; a gradient shows its function, since its call has names that no
 * card has.
 */
function madeBy({ name, call, op, phase = "forward" }: Operator, said: string): string {
  if (said === name) return `${name} = ${call}`;
  if (phase === "update") return said;
  return `${said}: ${phase === "forward" || phase === "recompute" ? call : op}`;
}

function nameOf({ name }: Operator): string {
  return name;
}

/** `.grad` of `h.grad` for `h`, without the number that distinguishes duplicate names. */
function suffix(name: string, base: string): string {
  return name.startsWith(base) ? name.slice(base.length).replace(/^#\d+|#\d+$/gu, "") : ".grad";
}

/** Names of operators by the rows at which they are drawn. */
function rowNames({ graph, program }: Drawn): (operator: Operator) => string {
  const labels = labelsOf(program.graph);
  const layers = layerPaths(program.graph).operators;
  const homes = homesOf(graph, program.graph);
  const operators = operatorsOf(program.graph);
  const tensors = tensorsOf(program.graph);
  return (operator) => {
    const { id, name, op, outputs, phase = "forward" } = operator;
    const made = outputs[0] && tensors.get(outputs[0].tensor);
    const replaced = made?.replaces === undefined ? undefined : tensors.get(made.replaces);
    if (phase === "update") return replaced === undefined ? name : `${op} of ${replaced.name}`;
    const home = operators.get(homes.get(id) ?? id);
    if (home === undefined) return name;
    const layer = layers.get(home.id);
    const path = layer === undefined ? home.module : layer.slice(0, layer.lastIndexOf("."));
    const label = labels.get(home.id) ?? home.name;
    const isAtRoot = path === undefined || path === "" || layer?.includes(".") === false;
    const part = name.startsWith(`${home.name}.`) ? suffix(name, home.name) : "";
    const own = phase === "backward" ? `∂${label}` : `${label}${part}`;
    return isAtRoot ? own : `${path}.${own}`;
  };
}
