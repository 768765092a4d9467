import type { Span } from "#core/diagnostics";
import type { Argument, Context, Value } from "#language/python";
import type { GraphNodes } from "./graph-nodes.ts";
import type { PolicyObjects } from "./policy-objects.ts";
import type { PolicySetting } from "./policy-setting.ts";

/** One graph while a policy runs against it. */
export interface PolicyRun {
  readonly nodes: GraphNodes;
  readonly objects: PolicyObjects;
  readonly setting: PolicySetting;
  /** Whether the step from data to loss is one program, as pipelines need. */
  readonly isEndToEnd: boolean;
  /** Where the policy groups the graph into stages. */
  stagedAt?: Span;
  /** Whether the policy leaves the plan to a search that is not run here. */
  isSearched?: boolean;
}

/** A word of the graph or of a node, as a policy calls it. */
export type Act = (
  run: PolicyRun,
  args: readonly Argument[],
  context: Context,
  span: Span,
) => Value;
