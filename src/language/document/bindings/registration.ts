import type { Span } from "#core/diagnostics";
import type { TransformRule } from "#core/dimops";
import type { FunctionValue, Value } from "#language/python";
import type { FunctionBody } from "../trace/traced.ts";
import type { Signature } from "./signature.ts";

/** Source of a registered function's annotation: a text, a function that returns it, or none. */
export type AnnotationSource =
  | { readonly kind: "text"; readonly text: string; readonly span: Span }
  | { readonly kind: "function"; readonly callee: Value; readonly span: Span }
  | { readonly kind: "missing"; readonly span: Span };

/** A function of the text, or an imported one, registered as an operator by an annotation. */
export interface Registered {
  readonly name: string;
  /** Name by which the text calls the function. */
  readonly label: string;
  readonly signature: Signature;
  readonly annotation: AnnotationSource;
  readonly rules: readonly TransformRule[];
  readonly body: FunctionBody;
  readonly generatesInputs: boolean;
  /** Parameters that its body changes in place. */
  readonly changed: readonly string[];
  readonly span: Span;
  called: boolean;
}

/** The function or class that is registered. */
export interface Target {
  readonly identity: object;
  readonly label: string;
  readonly signature: Signature;
  readonly func?: FunctionValue;
  readonly body: FunctionBody;
  readonly span: Span;
}

/** Options of `register_op(…)`. */
export interface RegisterOptions {
  readonly annotation: AnnotationSource;
  readonly name: string | undefined;
  readonly rules: readonly TransformRule[];
  /** Whether an `emit_fn` generates code in place of the body. */
  readonly emits?: boolean;
  /** Whether a function of the text generates the inputs for measuring. */
  readonly generatesInputs?: boolean;
}
