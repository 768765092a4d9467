import type { Span } from "#core/diagnostics";
import type { Argument, Context, Value } from "#language/python";
import type { GraphNodes } from "./graph-nodes.ts";
import type { PolicyObjects } from "./policy-objects.ts";
import type { PolicySetting } from "./policy-setting.ts";

/** The state of one policy run on one graph. */
export interface PolicyRun {
  readonly nodes: GraphNodes;
  readonly objects: PolicyObjects;
  readonly setting: PolicySetting;
  /** Whether the step from data to loss is one program, as pipelines need. */
  readonly isEndToEnd: boolean;
  /** Span of the call that groups the graph into stages. */
  stagedAt?: Span;
  /** Whether the policy delegates the plan to a search that is not run here. */
  isSearched?: boolean;
}

/** A method of the graph or of a node, as a policy calls it. */
export type Act = (
  run: PolicyRun,
  args: readonly Argument[],
  context: Context,
  span: Span,
) => Value;
