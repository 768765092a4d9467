import type { Span } from "#core/diagnostics";
import { parseAnnotation } from "#core/dimops";
import type {
  Argument,
  Context,
  FunctionValue,
  HostObject,
  HostType,
  Value,
} from "#language/python";
import type { Recorder } from "../recorder.ts";
import type { TensorWords } from "./tensors.ts";
import { bindArguments, integerOf, textOf } from "./values.ts";

/** A function of the text with an annotation: an operator. */
export interface Registered {
  readonly name: string;
  readonly func: FunctionValue;
  readonly annotation: { readonly text: string; readonly span: Span };
  called: boolean;
}

/** Functions that are registered as operators, by a comment or by `nnscaler.register_op`. */
export class RegisteredWords {
  readonly registered: Registered[] = [];
  private readonly recorder: Recorder;
  private readonly tensors: TensorWords;
  private readonly type: HostType;

  constructor(recorder: Recorder, tensors: TensorWords) {
    this.recorder = recorder;
    this.tensors = tensors;
    this.type = {
      name: "function",
      call: (self, args, context, span) => this.call(registeredOf(self), args, context, span),
      text: (self) => registeredOf(self).name,
    };
  }

  /** A `# annotation: …` comment directly above a function reads as its registration. */
  fromComment(value: Value, span: Span, context: Context): Value | undefined {
    if (value.kind !== "function") return undefined;
    const annotation = annotationAbove(context.source, span.from);
    return annotation === undefined ? undefined : this.register(value, value.name, annotation);
  }

  /** `register_op(annotation, name=…)`: a decorator. */
  registerOp(args: readonly Argument[], context: Context, span: Span): Value {
    const { bound } = bindArguments(["annotation", "name"], args);
    const argument = bound.get("annotation");
    const annotation = textOf(argument?.value);
    if (argument === undefined || annotation === undefined) {
      return context.raise("TypeError", "register_op() needs the annotation as a text", span);
    }
    const name = textOf(bound.get("name")?.value);
    return {
      kind: "host-function",
      name: "register_op",
      call: ([target], _context, callSpan) => {
        const func = target?.value;
        if (func?.kind !== "function") {
          return context.raise(
            "TypeError",
            "Expected a runtime function",
            target?.span ?? callSpan,
          );
        }
        const inside = { from: argument.span.from + 1, to: argument.span.to - 1 };
        return this.register(func, name ?? func.name, { text: annotation, span: inside });
      },
    };
  }

  /** Calls every operator that the program only defined, on inputs named like its parameters. */
  drawUncalled(context: Context): void {
    for (const operator of this.registered.filter(({ called }) => !called)) {
      const count = annotatedInputs(operator.annotation.text);
      const args = operator.func.parameters.slice(0, count).map(
        (parameter): Argument => ({
          value: this.assumedInput(parameter.name, parameter.span, context),
          span: parameter.span,
        }),
      );
      if (args.length === count) {
        context.attempt(() => this.call(operator, args, context, operator.func.nameSpan));
      }
    }
  }

  /** An input that nobody made, called like a parameter. */
  assumedInput(name: string, span: Span, context: Context): Value {
    const tensor = this.recorder.leaf(
      {
        role: "input",
        shape: undefined,
        shapeStatus: "assumed",
        dtype: "f32",
        dtypeText: "f32",
        span,
      },
      context.frames,
    );
    tensor.name = { text: name, frames: [] };
    return this.tensors.object(tensor);
  }

  private register(
    func: FunctionValue,
    name: string,
    annotation: Registered["annotation"],
  ): HostObject {
    const registered: Registered = { name, func, annotation, called: false };
    this.registered.push(registered);
    return { kind: "host", type: this.type, data: registered };
  }

  private call(
    operator: Registered,
    args: readonly Argument[],
    context: Context,
    span: Span,
  ): Value {
    operator.called = true;
    const { func, annotation, name } = operator;
    const count = annotatedInputs(annotation.text);
    const { bound } = bindArguments(
      func.parameters.map((parameter) => parameter.name),
      args,
    );
    const inputs = func.parameters.slice(0, count).map((parameter) => bound.get(parameter.name));
    const given = inputs.filter((argument) => argument !== undefined);
    if (given.length < count) {
      const message = `calling function ${func.name} should include at least ${count} *args`;
      return context.raise("ValueError", message, span);
    }
    const rest = func.parameters.slice(count).flatMap(({ name: key }): [string, number][] => {
      const value = integerOf(bound.get(key)?.value ?? func.defaults.get(key));
      return value === undefined ? [] : [[key, value]];
    });
    const results = this.recorder.call(
      {
        op: name,
        stem: name,
        annotations: [annotation],
        inputs: given.map((argument) => this.tensors.operand(argument.value, context)),
        integers: Object.fromEntries(rest),
        linear: [],
        reducesInside: false,
        span,
      },
      context,
    );
    return this.tensors.result(results);
  }
}

/** Only values of the operator type reach its methods. */
function registeredOf(self: HostObject): Registered {
  return self.data as Registered;
}

/** Inputs that an annotation names; a text that is none has none, and says so when it is called. */
function annotatedInputs(text: string): number {
  const parsed = parseAnnotation(text);
  return parsed.ok ? parsed.value.inputs.length : 0;
}

const annotationComment = /^([ \t]*#[ \t]*annotation:[ \t]*)(.*?)[ \t]*$/;

/** The annotation in the comment lines directly above a position, with its place. */
function annotationAbove(source: string, position: number): Registered["annotation"] | undefined {
  let lineStart = source.lastIndexOf("\n", position - 1) + 1;
  while (lineStart > 0) {
    const end = lineStart - 1;
    lineStart = source.lastIndexOf("\n", end - 1) + 1;
    const line = source.slice(lineStart, end);
    if (!line.trimStart().startsWith("#")) return undefined;
    const found = annotationComment.exec(line.trimEnd());
    if (found?.[1] === undefined || found[2] === undefined) continue;
    const from = lineStart + found[1].length;
    return { text: found[2], span: { from, to: from + found[2].length } };
  }
  return undefined;
}
