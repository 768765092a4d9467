// Elementwise losses with broadcasting operands, summed or averaged.

import {
  type Body,
  type Expr,
  folded,
  number,
  read,
  type Table,
  table,
  tabled,
} from "./body/body.ts";
import { div, isNumber, mul, sub } from "./body/expressions.ts";
import {
  axesBeside,
  axesIn,
  type BoundCall,
  broadcastAnnotation,
  type CallShapes,
  operandAt,
  outputAt,
  pointsAlong,
} from "./call.ts";
import { define } from "./define.ts";
import { backwardStep, derivedGradient } from "./derived-gradient.ts";
import { differentiate, withOperands } from "./differentiate.ts";
import type { Backward, Domain, Gradient, LibraryEntry, SizeOf } from "./entry.ts";
import { divided, markOf, reductionOf, sharesOf } from "./loss-reduction.ts";

/** The definition of a loss that is computed element by element. */
export interface ElementLoss {
  readonly name: string;
  /** Operands after input and target. */
  readonly further?: readonly string[];
  readonly operands?: readonly string[];
  readonly required?: number;
  readonly mayBeNumbers?: readonly string[];
  readonly settings?: readonly string[];
  readonly formula: (call: BoundCall) => Expr;
  /**
   * The derivative by an operand, if it differs from the formula's own. `undefined` stands for the
   * formula's own, 0 for no gradient.
   */
  readonly slope?: (call: BoundCall, operand: number) => Expr | undefined;
  /** The operand whose sum divides a mean, if the call has it. */
  readonly weighedBy?: number;
  /** Whether the last dim is averaged whatever the reduction. */
  readonly isOfRows?: boolean;
  /** The operand that may lack the last dim. */
  readonly shorter?: number;
  readonly domains?: readonly (Domain | undefined)[];
  readonly sample?: (n: SizeOf) => CallShapes;
}

/** A loss element by element, summed or averaged. */
export function elementLoss(loss: ElementLoss): LibraryEntry {
  const { name, operands = ["input", "target"], further = [], settings = [] } = loss;
  const all = [...operands, ...further];
  const body = bodyOf(loss);
  return define({
    name,
    parameters: [...all, "reduction", ...settings],
    tensors: all.length,
    required: loss.required ?? operands.length,
    ...(loss.mayBeNumbers && { mayBeNumbers: loss.mayBeNumbers }),
    annotate: (call) => annotationOf(loss, call),
    body,
    gradient: (call) => gradientOf(loss, body(call), call),
    backward: backwardOf(loss),
    addsUp: true,
    domains: loss.domains ?? [],
    sample:
      loss.sample ??
      ((n) => ({
        inputs: operands.map(() => [n("a"), n("b")]),
        attributes: { reduction: "sum" },
      })),
  });
}

/** The annotation, in which every element counts alike: `a+ b+, a+ b+ -> 1`. */
function annotationOf({ shorter, isOfRows }: ElementLoss, call: CallShapes): string {
  const [first, second] = call.inputs;
  // A target of unknown shape has the input's shape.
  const shapes = call.inputs.map((shape, at) =>
    at < 2 ? (shape ?? first ?? second ?? [undefined, undefined]) : shape,
  );
  const isShort = (at: number) => at === shorter && shapes[at]?.length === (first?.length ?? 0) - 1;
  const inputs = shapes.map((shape, at) => (isShort(at) && shape ? [...shape, 1] : shape));
  const broadcast = broadcastAnnotation({ ...call, inputs });
  const [read = "", written = ""] = broadcast.split(" -> ");
  const names = written === "1" ? [] : written.split(" ");
  const mark = markOf(call);
  const rows = names.slice(0, isOfRows === true ? -1 : undefined);
  const marked = (word: string) => {
    if (!names.includes(word)) return word;
    return word + (rows.includes(word) ? mark : mark === "+" ? "+" : "^");
  };
  const texts = read.split(", ").map((text, at) => {
    const words = text.split(" ").map(marked);
    return words.slice(0, isShort(at) ? -1 : undefined).join(" ") || "1";
  });
  return `${texts.join(", ")} -> ${(mark === "" && rows.join(" ")) || "1"}`;
}

/** The divisor of an element loss, with the tables that it reads. */
interface Divisor {
  readonly divisor: Expr;
  readonly tables: readonly Table[];
}

/** @param first the position of the first operand */
function divisorOf({ weighedBy, isOfRows }: ElementLoss, call: BoundCall, first: number): Divisor {
  const all = call.axes.map(({ name }) => name);
  const weights = weighedBy === undefined ? undefined : call.inputs[weighedBy];
  if (reductionOf(call) === "mean" && weighedBy !== undefined && weights !== undefined) {
    const sum = folded("sum", axesIn(call, weights), read(first + weighedBy));
    return { divisor: table("count"), tables: [tabled("count", [], sum)] };
  }
  const columns = isOfRows === true ? call.inputs[0]?.dims.at(-1)?.identifiers : [];
  const isMean = reductionOf(call) === "mean";
  const shares = isMean ? pointsAlong(call, all) : sharesOf(call, all);
  return {
    divisor: number(isMean ? shares : shares * pointsAlong(call, columns ?? [])),
    tables: [],
  };
}

function bodyOf(loss: ElementLoss): LibraryEntry["body"] {
  return (call) => {
    const { divisor, tables } = divisorOf(loss, call, 0);
    const over = axesBeside(call, outputAt(call, 0));
    return { tables, outputs: [folded("sum", over, divided(loss.formula(call), divisor))] };
  };
}

function slopeOf(loss: ElementLoss, call: BoundCall, operand: number): Expr {
  return loss.slope?.(call, operand) ?? differentiate(loss.formula(call), operand);
}

/** The gradients: contractions if the slope is a product, else the loss's own backward operator. */
function gradientOf(loss: ElementLoss, body: Body, call: BoundCall): readonly Gradient[] {
  const isOwn = loss.slope !== undefined || body.tables.length > 0;
  if (!isOwn) return derivedGradient(loss.name, body, call);
  return call.inputs.map((input, at) => {
    if (input === undefined || isNumber(slopeOf(loss, call, at), 0)) return [];
    return [backwardStep(loss.name, call, at)];
  });
}

/**
 * The slope by an operand, divided as the loss was and summed over what the operand lacks. Weights
 * that a mean divides by have a share in the divisor too: `(l − Σ w·l / Σ w) / Σ w`.
 */
function backwardOf(loss: ElementLoss): Backward {
  return {
    targets: [],
    body: (call, target): Body => {
      const behind = (expr: Expr) => withOperands(expr, (operand) => operand + 1);
      const { divisor, tables } = divisorOf(loss, call, 1);
      const over = axesBeside(call, operandAt(call, target));
      const own = divided(behind(slopeOf(loss, call, target)), divisor);
      const isDivisor = tables.length > 0 && target === loss.weighedBy;
      const all = call.axes.map(({ name }) => name);
      const mean = folded("sum", all, divided(behind(loss.formula(call)), divisor));
      const share = div(table("mean"), mul(divisor, pointsAlong(call, over)));
      return {
        tables: isDivisor ? [...tables, tabled("mean", [], mean)] : tables,
        outputs: [folded("sum", over, mul(read(0), isDivisor ? sub(own, share) : own))],
      };
    },
  };
}
