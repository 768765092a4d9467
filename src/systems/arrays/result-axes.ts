import type { BoundCall, CallOperand } from "#core/ir";
import { type Loop, type OperatorBody, type PointOutput, positionName } from "#core/ir/body";
import { NotWritten } from "./not-written.ts";
import type { OperandScope } from "./operand-code.ts";

/**
 * The axes that make the dims of an operator's results; axes that are not the call's are recorded
 * as loops.
 */
export class ResultAxes {
  private readonly call: BoundCall;
  private readonly axes: OperandScope["axes"];
  private readonly points: OperatorBody["points"];
  private readonly loops: Map<string, Loop>;

  constructor(
    call: BoundCall,
    axes: OperandScope["axes"],
    points: OperatorBody["points"],
    loops: Map<string, Loop>,
  ) {
    this.call = call;
    this.axes = axes;
    this.points = points;
    this.loops = loops;
  }

  /** The axes of a result, outermost first. */
  axesOf(at: number): readonly string[] {
    return (this.call.outputs[at]?.dims ?? []).flatMap((_, place) => this.axesOfDim(at, place));
  }

  /** The axes that make a dim of a result, outermost first. */
  axesOfDim(at: number, place: number): readonly string[] {
    const output = this.call.outputs[at];
    const point = this.points?.[at];
    if (output === undefined) return [];
    if (point !== undefined) return this.pointAxes(point, place);
    return this.named(output.dims[place]?.identifiers ?? [], output, place);
  }

  /** Axes of a result dim when index points write their cells side by side. */
  private pointAxes({ projection, loops }: PointOutput, dim: number): readonly string[] {
    const { coefficients = [], offset = 0, extent = 1 } = projection[dim] ?? {};
    const inner = loops.filter((loop) => loop.dim === dim && loop.size > 1);
    for (const { axis, size, digits } of inner) {
      this.loops.set(axis, { axis, size });
      if (digits.length > 1 || digits.some((digit) => digit.size !== size))
        throw new NotWritten("an index point writes cells of several axes into one dim");
    }
    // The index over a block's cells has the name of its axis in the kernel.
    const cells = inner.map(({ axis, digits, size }) => {
      const [name = axis] = digits.map((digit) => digit.axis);
      this.loops.set(name, { axis: name, size });
      return name;
    });
    const moving = this.call.axes.filter((_, axis) => (coefficients[axis] ?? 0) !== 0);
    const [step] = coefficients.filter((coefficient) => coefficient !== 0);
    const isBeside = offset === 0 && moving.length <= 1 && (step ?? extent) === extent;
    if (!isBeside)
      throw new NotWritten("its index points write cells that do not lie side by side");
    return [...moving.map(({ name }) => name), ...cells];
  }

  /** Axes of a dim: its identifiers, or an index of its own when it is a number. */
  private named(
    identifiers: readonly string[],
    { shape }: CallOperand,
    dim: number,
  ): readonly string[] {
    const named = identifiers.filter((name) => this.axes.has(name));
    const numbers = identifiers.filter((name) => !this.axes.has(name) && name !== "1");
    if (named.length > 0 && numbers.length > 0)
      throw new NotWritten("a number stands in a bracket");
    if (named.length > 0) return named;
    const size = shape[dim] ?? 1;
    if (size === 1) return [];
    const axis = positionName(dim);
    this.loops.set(axis, { axis, size });
    return [axis];
  }
}
