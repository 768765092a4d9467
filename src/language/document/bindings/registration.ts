import type { Span } from "#core/diagnostics";
import type { TransformRule } from "#core/dimops";
import type { FunctionValue, Value } from "#language/python";
import type { FunctionBody } from "../trace/traced.ts";
import type { Signature } from "./signature.ts";

/**
 * Where the annotation of a registered function comes from: a text, a function that makes it, or
 * nowhere.
 */
export type AnnotationSource =
  | { readonly kind: "text"; readonly text: string; readonly span: Span }
  | { readonly kind: "function"; readonly callee: Value; readonly span: Span }
  | { readonly kind: "missing"; readonly span: Span };

/** A function of the text, or one that it imports, with an annotation: an operator. */
export interface Registered {
  readonly name: string;
  /** The function as the text calls it. */
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

/** The function or class that a registration registers. */
export interface Target {
  readonly identity: object;
  readonly label: string;
  readonly signature: Signature;
  readonly func?: FunctionValue;
  readonly body: FunctionBody;
  readonly span: Span;
}

/** What `register_op(…)` was given. */
export interface RegisterOptions {
  readonly annotation: AnnotationSource;
  readonly name: string | undefined;
  readonly rules: readonly TransformRule[];
  /** Whether an `emit_fn` generates code in place of the body. */
  readonly emits?: boolean;
  /** A function of the text makes its inputs where it is measured. */
  readonly generatesInputs?: boolean;
}
