import { printAnnotation } from "#core/dimops";
import type { Operator, TensorId } from "#core/ir";
import { printPart } from "#core/mesh";
import type { MeshMemory } from "./planner-memory.ts";
import type { PlanRequest } from "./problem.ts";
import type { PlannedValue } from "./values.ts";

/** Keys (numbers) of operators, values and layouts at rest; equal keys mean equal costs. */
export class Keys {
  private readonly request: PlanRequest;
  private readonly hasGradient: (tensor: TensorId) => boolean;
  private readonly shapes: ReadonlyMap<TensorId, string>;
  private readonly known: Pick<MeshMemory, "numberOf">;
  private readonly operators = new Map<Operator, number>();
  private readonly texts = new Map<Operator, string>();
  private readonly states = new Map<readonly number[], string>();

  /** @param known gives the number of a text, a new one for a new text */
  constructor(
    request: PlanRequest,
    hasGradient: (tensor: TensorId) => boolean,
    known: Pick<MeshMemory, "numberOf">,
  ) {
    this.request = request;
    this.known = known;
    this.hasGradient = hasGradient;
    const { tensors } = request.graph;
    this.shapes = new Map(
      tensors.map(({ id, shape, dtype, strides = "" }) => [id, `${shape}:${dtype}:${strides}`]),
    );
  }

  /** Operators with equal keys have equal choices. */
  operator(operator: Operator): number {
    const known = this.operators.get(operator);
    if (known !== undefined) return known;
    const key = this.known.numberOf(`${this.text(operator)}|${this.pin(operator.id)}`);
    this.operators.set(operator, key);
    return key;
  }

  /**
   * Text of an operator: operators with equal texts have equal costs of their own for equal numbers
   * of pieces.
   */
  text(operator: Operator): string {
    const known = this.texts.get(operator);
    if (known !== undefined) return known;
    const { annotation, axes, inputs, outputs, linear, reducesInside } = operator;
    const operand = ({ tensor }: Operator["inputs"][number]) =>
      `${this.shapes.get(tensor)}${this.hasGradient(tensor) ? "'" : ""}`;
    const text = [
      `${operator.entry} ${operator.op}`,
      JSON.stringify(operator.attributes),
      printAnnotation(annotation),
      axes.map(({ name, size }) => `${name}${size}`).join(),
      inputs.map(operand).join(";"),
      // The gradients of an operand that is read twice are added up, so positions of one tensor are
      // distinguished.
      inputs.map(({ tensor }) => inputs.findIndex((other) => other.tensor === tensor)).join(),
      outputs.map(operand).join(";"),
      JSON.stringify(linear),
      reducesInside,
    ].join("|");
    this.texts.set(operator, text);
    return text;
  }

  /** Values with equal keys have equal tables, over unknowns in the same order. */
  value(value: PlannedValue, scope: readonly number[], share = 1): number {
    const { tensor, source, readers, placed, isResult, ends, hasGradient } = value;
    const places = new Map(scope.map((at, place) => [at, place]));
    const operators = scope.map((at) => {
      const operator = this.request.graph.operators[at];
      return operator === undefined ? "rest" : this.operator(operator);
    });
    const from = source.kind === "operator" ? source.output : this.sourceText(source);
    const reads = readers.map(
      ({ operator, position, makesGradient, pass = "", isRunAgain = false }) =>
        `${places.get(operator)}.${position}${makesGradient ? "'" : ""}${pass}${isRunAgain ? "!" : ""}`,
    );
    return this.known.numberOf(
      [
        "value",
        value.routes.version,
        this.shapes.get(tensor.id),
        tensor.role,
        hasGradient,
        value.isForgotten,
        value.isGatheredAgain,
        value.hiding?.times,
        value.hiding?.bucket,
        value.parts,
        source.kind,
        from,
        operators,
        reads,
      ]
        .concat([String(placed), String(isResult), ends.join(), String(share)])
        .join("|"),
    );
  }

  /** The key of a value's possible layouts at rest; equal keys have the same layouts. */
  rest(value: PlannedValue): number {
    return this.known.numberOf(
      `rest|${this.shapes.get(value.tensor.id)}|${this.sourceText(value.source)}`,
    );
  }

  private sourceText(source: PlannedValue["source"]): string {
    if (source.kind === "operator") return "";
    return source.kind === "given" ? String(source.state) : this.statesText(source.states);
  }

  /** The text of a list of layouts, remembered since values of one shape share one long list. */
  private statesText(states: readonly number[]): string {
    const known = this.states.get(states) ?? states.join();
    this.states.set(states, known);
    return known;
  }

  private pin(id: Operator["id"]): string {
    const pin = this.request.pins.get(id);
    if (pin === undefined) return JSON.stringify(this.request.limits?.get(id) ?? "");
    const { mesh } = this.request;
    const cuts = Object.entries(pin.cuts).map(
      ([name, parts]) => `${name}=${parts.map((part) => printPart(mesh, part)).join("*")}`,
    );
    return `pin ${cuts.join(" ")} ${pin.carry.map((part) => printPart(mesh, part)).join()}`;
  }
}
