import { type Diagnostic, hasErrors, type Span } from "#core/diagnostics";
import { type OpAnno, parseAnnotation } from "#core/dimops";
import type { DType, Status } from "#core/ir";
import type { Binding, Context, Frame } from "#language/python";
import { freshSize, type Size } from "./size.ts";
import { annotatedRank, symbolicShapes } from "./symbolic.ts";
import {
  emptyTrace,
  type MindsporeStrategy,
  type PlainOperand,
  type Trace,
  type TracedOperator,
  type TracedTensor,
} from "./trace.ts";

/** What a call of an operator says. */
export interface OperatorCall {
  readonly op: string;
  readonly stem: string;
  readonly annotations: TracedOperator["annotations"];
  readonly inputs: readonly (TracedTensor | PlainOperand)[];
  readonly integers: Readonly<Record<string, number>>;
  readonly linear: readonly (readonly number[])[];
  readonly reducesInside: boolean;
  readonly strategy?: MindsporeStrategy;
  readonly span: Span;
}

/** What a new input or parameter says. */
export interface LeafSpec {
  readonly role: "input" | "parameter";
  readonly shape: readonly Size[] | undefined;
  readonly shapeStatus: Status;
  readonly dtype: DType;
  readonly dtypeText: string;
  readonly span: Span;
}

/** Writes down what a running program does with tensors. */
export class Recorder {
  readonly trace: Trace = emptyTrace();

  leaf(spec: LeafSpec, frames: readonly Frame[]): TracedTensor {
    const tensor: TracedTensor = {
      kind: "tensor",
      ...spec,
      isModuleVariable: false,
      frames: [...frames],
    };
    this.trace.tensors.push(tensor);
    return tensor;
  }

  /** The first simple name that a tensor is bound to is its name. */
  bind(tensor: TracedTensor, binding: Binding): void {
    if (tensor.name !== undefined) return;
    tensor.name = { text: binding.name, frames: [...binding.frames] };
    tensor.isModuleVariable = binding.frames.length === 0;
  }

  /** Records a call and returns its results; a text that is no annotation ends the statement. */
  call(call: OperatorCall, context: Context): readonly TracedTensor[] {
    const annotation = readAnnotation(call, context);
    const shapes = this.shapesOf(annotation, call);
    const operator: TracedOperator = { ...call, outputs: [], frames: [...context.frames] };
    const results = shapes.map((shape) => this.result(operator, shape));
    operator.outputs = results;
    this.trace.operators.push(operator);
    return results;
  }

  report(...diagnostics: readonly Diagnostic[]): void {
    this.trace.diagnostics.push(...diagnostics);
  }

  /** Tensors without a rank get the annotation's; then sizes meet. */
  private shapesOf(annotation: OpAnno, call: OperatorCall): readonly (readonly Size[])[] {
    for (const [index, operand] of call.inputs.entries()) {
      const shape = annotation.inputs[index];
      if (operand.kind !== "tensor" || operand.shape !== undefined || shape === undefined) continue;
      operand.shape = Array.from({ length: annotatedRank(shape) }, freshSize);
      operand.shapeStatus = "assumed";
    }
    const inputs = call.inputs.map((operand) =>
      operand.kind === "tensor" ? operand.shape : undefined,
    );
    return symbolicShapes(annotation, inputs, call.integers);
  }

  private result(operator: TracedOperator, shape: readonly Size[]): TracedTensor {
    const first = operator.inputs.find((operand) => operand.kind === "tensor");
    const tensor: TracedTensor = {
      kind: "tensor",
      role: "activation",
      shape,
      shapeStatus: "inferred",
      dtype: first?.dtype ?? "f32",
      dtypeText: first?.dtypeText ?? "f32",
      isModuleVariable: false,
      frames: operator.frames,
      producer: operator,
      span: operator.span,
    };
    this.trace.tensors.push(tensor);
    return tensor;
  }
}

/** The first candidate that is an annotation at all; none: its faults, at their places. */
function readAnnotation(call: OperatorCall, context: Context): OpAnno {
  const read = call.annotations.map((candidate) => parseAnnotation(candidate.text));
  const good = read.find((checked) => checked.ok);
  if (good?.ok) return good.value;
  const [first] = call.annotations;
  const faults = read[0]?.diagnostics ?? [];
  for (const fault of faults) context.report(placed(fault, first?.span, call.span));
  const worst = hasErrors(faults) ? faults.find(({ severity }) => severity === "error") : undefined;
  return context.raise(
    worst?.upstream ?? "ValueError",
    `the annotation "${first?.text ?? ""}" of "${call.op}" cannot be read`,
    call.span,
  );
}

/** A fault inside an annotation, at its place in the program's text. */
function placed(fault: Diagnostic, text: Span | undefined, call: Span): Diagnostic {
  if (text === undefined || fault.span === undefined) return { ...fault, span: call };
  return {
    ...fault,
    span: { from: text.from + fault.span.from, to: text.from + fault.span.to },
  };
}
