import type { Operator, OperatorId } from "#core/ir";
import { operatorBody } from "#core/ir/body";
import type { FlatStep, LocalStep, ValueId } from "#core/program";
import { append, required } from "#core/records";
import type { RunSettings } from "#execute/engine";
import { isPlain } from "./followers.ts";
import type { LocalWork } from "./local-work.ts";

/** Readers of every value whose operators compute a result cell by cell. */
export class FollowingSteps {
  private readonly readers = new Map<ValueId, LocalStep[]>();
  private readonly plain = new Map<OperatorId, boolean>();
  private readonly operators: ReadonlyMap<OperatorId, Operator>;
  private readonly shapeOf: LocalWork["shapeOf"];
  private readonly bodies: RunSettings["bodies"];

  constructor(
    steps: readonly FlatStep[],
    operators: ReadonlyMap<OperatorId, Operator>,
    shapeOf: LocalWork["shapeOf"],
    bodies: RunSettings["bodies"],
  ) {
    this.operators = operators;
    this.shapeOf = shapeOf;
    this.bodies = bodies;
    for (const step of steps) {
      if (step.kind !== "local") continue;
      for (const id of new Set(step.inputs)) append(this.readers, id, step);
    }
  }

  /**
   * Steps that make one result from a value cell by cell, by their operators' own bodies, with all
   * other operands known.
   */
  behind(id: ValueId, isKnown: (value: ValueId) => boolean): readonly LocalStep[] {
    return (this.readers.get(id) ?? []).filter(
      ({ inputs, outputs, operator, unverified }) =>
        outputs.length === 1 &&
        unverified?.isAlone !== true &&
        inputs.every((each) => each === id || isKnown(each)) &&
        this.isPlain(operator),
    );
  }

  private isPlain(id: OperatorId): boolean {
    const known = this.plain.get(id);
    if (known !== undefined) return known;
    const operator = required(this.operators, id, "operator");
    const isOwn = operator.passage === undefined && this.bodies?.whole(operator) === undefined;
    const found = isOwn && isPlain(operatorBody(operator, this.shapeOf));
    this.plain.set(id, found);
    return found;
  }
}
