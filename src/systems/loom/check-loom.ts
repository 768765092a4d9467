import { type Diagnostic, hasErrors } from "#core/diagnostics";
import type { CheckStage, GraphDialect } from "#systems/system/graph";
import { checkApplicationAgreement } from "./constraints/application-agreement.ts";
import { checkCycles } from "./constraints/no-cycles.ts";
import { checkOutputCoverage } from "./constraints/output-coverage.ts";
import { checkSchemas } from "./constraints/schema-types.ts";
import {
  checkApplicationSignatures,
  checkOperationSignatures,
} from "./constraints/signature-agreement.ts";
import { checkDtypes } from "./constraints/tensor-dtypes.ts";
import { checkTensorOperationAgreement } from "./constraints/tensor-operation-agreement.ts";
import { checkTypes } from "./constraints/type-restriction.ts";
import type { LoomDocument } from "./document.ts";
import { defaultDtypes } from "./dtypes.ts";
import { type RawGraph, readEnvelope } from "./envelope.ts";
import type { LoomGraph } from "./graph.ts";
import type { Finding, PlacedIssue } from "./issue.ts";
import { lintLoom } from "./lints.ts";
import { readJson } from "./read-json.ts";
import { readNodes } from "./read-nodes.ts";
import { type NodeKind, nodeKindOf } from "./uris.ts";

export interface CheckOptions {
  /**
   * Dialect to check against. Default: the application dialect if the text has an Application or a
   * Note.
   */
  readonly dialect?: GraphDialect;
  /** The data types that tensors may have. */
  readonly dtypes?: readonly string[];
}

export interface LoomCheck {
  /** Issues that Loom's validator would report, all from one stage. */
  readonly issues: readonly PlacedIssue[];
  /**
   * The issues with spans and in plain words, faults that kept the text from being read, and
   * warnings.
   */
  readonly diagnostics: readonly Diagnostic[];
  readonly dialect: GraphDialect;
  /** Stages passed, failed or not reached: Loom stops at the first stage that finds something. */
  readonly stages: readonly CheckStage[];
  /** Present whenever the text could be read, even if a constraint fails. */
  readonly graph?: LoomGraph;
  readonly document?: LoomDocument;
}

/**
 * Reads a LoomGraph and checks it against a dialect, constraint by constraint, in Loom's order
 * (loom.md §3).
 *
 * An issue replaces every exception with which Loom would break off. Faults that Loom overlooks are
 * errors too: a second node of one id, a missing graph id, ranges whose ends are mixed up, an
 * overlap that hides a gap.
 */
export function checkLoom(text: string, options: CheckOptions = {}): LoomCheck {
  const read = readJson(text);
  const envelope = read.tree === undefined ? undefined : readEnvelope(read.tree, text);
  const dialect = options.dialect ?? usualDialect(envelope?.graph);
  const faults = hasErrors(read.diagnostics) ? [] : (envelope?.diagnostics ?? []);
  const diagnostics = [...read.diagnostics, ...faults];
  if (envelope?.graph === undefined || hasErrors(diagnostics)) {
    return { issues: [], diagnostics, dialect, stages: stagesOf(dialect, 0, false) };
  }
  const checked = checkGraph(envelope.graph, dialect, options.dtypes ?? defaultDtypes);
  return { ...checked, dialect, diagnostics: [...diagnostics, ...checked.diagnostics] };
}

/** Reads a graph without checking constraints, or says why it cannot be read. */
export function readLoom(text: string): Pick<LoomCheck, "graph" | "diagnostics"> {
  const { graph, diagnostics } = checkLoom(text, { dialect: "app" });
  return { diagnostics, ...(graph !== undefined && { graph }) };
}

type Checked = Omit<LoomCheck, "dialect">;

function checkGraph(raw: RawGraph, dialect: GraphDialect, dtypes: readonly string[]): Checked {
  const readable = [() => checkTypes(raw, kindsOf(dialect)), () => checkSchemas(raw)];
  const early = firstFailure(readable);
  if (early.findings.length > 0) return failure(dialect, early);
  const { document, findings } = readNodes(raw);
  if (findings.length > 0) return failure(dialect, { stage: 2, findings });
  const checks = [
    () => checkDtypes(document, dtypes),
    () => checkTensorOperationAgreement(document),
    () => checkCycles(document),
    () => checkOperationSignatures(document),
    ...(dialect === "op"
      ? []
      : [
          () => checkApplicationAgreement(document),
          () => checkApplicationSignatures(document),
          () => checkOutputCoverage(document),
        ]),
  ];
  const late = firstFailure(checks);
  const outcome = failure(dialect, { ...late, stage: late.stage + 3 });
  const diagnostics = [...outcome.diagnostics, ...lintLoom(document)];
  return { ...outcome, diagnostics, graph: document.graph, document };
}

interface Failure {
  readonly stage: number;
  readonly findings: readonly Finding[];
}

/**
 * Runs checks up to the first stage with findings; without findings, returns the stage after the
 * last.
 */
function firstFailure(checks: readonly (() => readonly Finding[])[]): Failure {
  for (const [stage, check] of checks.entries()) {
    const findings = check();
    if (findings.length > 0) return { stage, findings };
  }
  return { stage: checks.length, findings: [] };
}

function failure(dialect: GraphDialect, { stage, findings }: Failure): Checked {
  return {
    issues: findings.map(({ issue, diagnostic: { span } }) => {
      return span === undefined ? issue : { ...issue, span };
    }),
    diagnostics: findings.map(({ diagnostic }) => diagnostic),
    stages: stagesOf(dialect, stage, findings.length > 0),
  };
}

function stagesOf(
  dialect: GraphDialect,
  reached: number,
  hasFailed: boolean,
): readonly CheckStage[] {
  return constraintsOf(dialect).map((constraint, at): CheckStage => {
    if (at < reached) return { constraint, status: "passed" };
    return { constraint, status: at === reached && hasFailed ? "failed" : "not checked" };
  });
}

function constraintsOf(dialect: GraphDialect): readonly string[] {
  return [
    ...["TypeRestriction", "SchemaType", "MalformedValue", "TensorDTypesAreValid"],
    ...["TensorOperationAgreement", "NoTensorOperationCycles", "OperationIPFSignatureAgreement"],
    ...(dialect === "op"
      ? []
      : [
          ...["OperationApplicationAgreement", "ApplicationIPFSignatureAgreement"],
          "ApplicationOutputRangeCoverageIsExact",
        ]),
  ];
}

function kindsOf(dialect: GraphDialect): readonly NodeKind[] {
  const kinds: readonly NodeKind[] = ["Tensor", "Operation"];
  return dialect === "op" ? kinds : [...kinds, "Application", "Note"];
}

function usualDialect(graph: RawGraph | undefined): GraphDialect {
  const isBeyond = (type: string) => ["Application", "Note"].includes(nodeKindOf(type) ?? "");
  return graph?.nodes.some(({ type }) => isBeyond(type)) ? "app" : "op";
}
