import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import type { IssueContext } from "#systems/system/graph";
import type { JsonPath } from "./json-node.ts";

export type IssueType =
  | "JSD_ERROR"
  | "NodeValidationError"
  | "NodeReferenceError"
  | "ReferenceCycle";

/** Loom's constraints in their order, plus two of this program for JSON that Loom cannot read. */
export type Constraint =
  | "TypeRestrictionConstraint"
  | "SchemaTypeConstraint"
  | "MalformedRange"
  | "MalformedProjection"
  | "TensorDTypesAreValidConstraint"
  | "TensorOperationAgreementConstraint"
  | "NoTensorOperationCyclesConstraint"
  | "OperationIPFSignatureAgreementConstraint"
  | "OperationApplicationAgreementConstraint"
  | "ApplicationIPFSignatureAgreementConstraint"
  | "ApplicationOutputRangeCoverageIsExactConstraint";

const codes: Readonly<Record<Constraint, DiagnosticCode>> = {
  TypeRestrictionConstraint: "loom/type-not-allowed",
  SchemaTypeConstraint: "loom/against-schema",
  MalformedRange: "loom/malformed-range",
  MalformedProjection: "loom/malformed-projection",
  TensorDTypesAreValidConstraint: "loom/unknown-dtype",
  TensorOperationAgreementConstraint: "loom/bad-selection",
  NoTensorOperationCyclesConstraint: "loom/cycle",
  OperationIPFSignatureAgreementConstraint: "loom/operation-against-signature",
  OperationApplicationAgreementConstraint: "loom/shard-against-operation",
  ApplicationIPFSignatureAgreementConstraint: "loom/shard-against-signature",
  ApplicationOutputRangeCoverageIsExactConstraint: "loom/outputs-not-tiled",
};

/** An issue as Loom's validator reports it (loom.md §1.6), with the constraint that found it. */
export interface Issue {
  readonly type: IssueType;
  readonly constraint: Constraint;
  readonly summary: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly contexts: readonly IssueContext[];
}

/** An issue with its span in the text. */
export interface PlacedIssue extends Issue {
  readonly span?: Span;
}

/** An issue in Loom's words, with the same fact as a diagnostic for the reader. */
export interface Finding {
  readonly issue: Issue;
  readonly diagnostic: Diagnostic;
}

/** Parts of a finding: Loom's issue, and the diagnostic's message and span. */
export interface FindingParts extends Issue {
  readonly message: string;
  readonly span?: Span | undefined;
  readonly related?: Diagnostic["related"];
  readonly fixes?: readonly Fix[];
}

/** Pairs an issue with its diagnostic. */
export function finding({ message, span, related, fixes, ...issue }: FindingParts): Finding {
  const diagnostic: Diagnostic = {
    code: codes[issue.constraint],
    severity: "error",
    message,
    upstream: issue.type,
    ...(span !== undefined && { span }),
    ...(related !== undefined && { related }),
    ...(fixes !== undefined && fixes.length > 0 && { fixes }),
  };
  return { issue, diagnostic };
}

/** `$.nodes['id'].body.inputs.x[0]`: path of a place inside a node, as issues print it. */
export function pathText(id: string, path: JsonPath = []): string {
  return path.reduce<string>((text, step) => text + stepText(step), `$.nodes['${id}']`);
}

/** One step of a path: `.name`, `['odd name']` or `[0]`. */
export function stepText(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  return /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(step) ? `.${step}` : `['${step}']`;
}
