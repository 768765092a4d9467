import { callOf } from "../bind-call.ts";
import { axesBeside, type BoundCall, type CallOperand, outputAt } from "../call.ts";
import type { Operator, TensorId } from "../graph.ts";
import { entryOf } from "../library.ts";
import {
  type Body,
  type Expr,
  folded,
  index,
  type Loop,
  mapped,
  number,
  positionName,
  read,
} from "./body.ts";
import { add, mul } from "./expressions.ts";
import { type PointOutput, pointBody } from "./point-body.ts";

/** The computation of an operator of a graph. */
export interface OperatorBody {
  readonly call: BoundCall;
  readonly body: Body;
  /** Whether the body is assumed, for a registered function whose own body is unknown. */
  readonly isAssumed: boolean;
  /**
   * Cells that an index point writes, by output; only for bodies that hold at single index points
   * (`Operator.points`). Without `points` a body computes a result cell by cell.
   */
  readonly points?: readonly PointOutput[];
}

/** The body of an operator: its library entry's or point kernel's, else the product of its operands. */
export function operatorBody(
  operator: Operator,
  shapeOf: (tensor: TensorId) => readonly number[],
): OperatorBody {
  if (operator.points !== undefined) {
    const { call, body, outputs } = pointBody(operator, operator.points, shapeOf);
    return { call, body, isAssumed: false, points: outputs };
  }
  const call = callOf(operator, shapeOf);
  if (operator.body !== undefined) return { call, body: operator.body, isAssumed: false };
  const entry = operator.entry === undefined ? undefined : entryOf(operator.entry);
  if (entry !== undefined) return { call, body: entry.body(call), isAssumed: false };
  const { outputs } = operator.annotation;
  return { call, body: productBody(call, (at) => outputs[at]?.ignored === true), isAssumed: true };
}

/**
 * The default body: every output is the product of all operands, summed over the axes that it
 * lacks. It is the meaning of an annotation while nothing else is known. Dims that are plain
 * numbers are axes of their own, one per number, as in the annotation language.
 *
 * @param isIgnored whether an output is an object (`?`) without annotated dims
 */
function productBody(call: BoundCall, isIgnored: (output: number) => boolean = () => false): Body {
  const nothing = mapped(number(0));
  const outputs = call.outputs.map((_, at) => (isIgnored(at) ? nothing : productInto(call, at)));
  return { tables: [], outputs };
}

function productInto(call: BoundCall, at: number) {
  const output = outputAt(call, at);
  const names = new Set(call.axes.map(({ name }) => name));
  const places = new Map(
    output.dims.flatMap(({ identifiers }, dim) => {
      const [only] = identifiers;
      const isNumber = identifiers.length === 1 && only !== undefined && !names.has(only);
      return isNumber ? [[only, positionName(dim)] as const] : [];
    }),
  );
  const loops = new Map<string, Loop>();
  const indexOf = (identifier: string, size: number): Expr => {
    if (names.has(identifier)) return index(identifier);
    const place = places.get(identifier);
    if (place !== undefined) return index(place);
    loops.set(identifier, { axis: `number ${identifier}`, size });
    return index(`number ${identifier}`);
  };
  const factors = call.inputs.flatMap((operand, position) =>
    operand === undefined || operand.dims.some(({ identifiers }) => identifiers.length === 0)
      ? []
      : [read(position, indicesOf(call, operand, indexOf))],
  );
  return folded("sum", [...axesBeside(call, output), ...loops.values()], mul(...factors));
}

/** The index along every dim of an operand, from the identifiers of its brackets. */
function indicesOf(
  call: BoundCall,
  operand: CallOperand,
  indexOf: (identifier: string, size: number) => Expr,
): readonly Expr[] {
  const sizes = new Map(call.axes.map(({ name, size }) => [name, size]));
  return operand.dims.map(({ identifiers }, dim) => {
    const whole = operand.shape[dim] ?? 1;
    if (identifiers.length === 1) return indexOf(identifiers[0] ?? "", whole);
    return identifiers.reduce<Expr>((outer, name) => {
      const size = sizes.get(name) ?? Number(name);
      return add(mul(outer, size), indexOf(name, size));
    }, number(0));
  });
}
