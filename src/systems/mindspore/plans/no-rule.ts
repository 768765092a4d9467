import type { Diagnostic } from "#core/diagnostics";
import type { BuiltGraph, Trace } from "#language/document/words";
import { primitiveName } from "../emitted/primitive-name.ts";
import { isTransparent } from "../emitted/transparent.ts";
import { hasRule } from "../operators/rules.ts";
import { parallelSetting } from "./parallel-mode.ts";

/**
 * Operators of a MindSpore program of which no rule of MindSpore's is known here, each once: what
 * they run with there, and what is sent for them, is not told. One whose result is not known either
 * has been spoken of.
 */
export function withoutRule(
  trace: Pick<Trace, "parallel">,
  { operatorOf }: Pick<BuiltGraph, "operatorOf">,
): readonly Diagnostic[] {
  if (parallelSetting(trace)?.devices === undefined) return [];
  const said = new Set<string>();
  return [...operatorOf.keys()].flatMap((traced): Diagnostic[] => {
    const op = primitiveName(traced);
    const isKnown = hasRule(op) || traced.isReplicated === true || isTransparent(traced);
    if (isKnown || said.has(op)) return [];
    said.add(op);
    const code = "mindspore/no-rule";
    const message = `how MindSpore splits "${op}" is not known here: its strategy, and what is sent for it, are not MindSpore's`;
    return [{ code, severity: "warning", message, span: traced.span }];
  });
}

const settings = {
  optimizer:
    "enable_parallel_optimizer is not read: parameters are drawn as their operators cut them, and what MindSpore asks of them besides is not checked",
  stages: "pipeline_stages is not read: all operators are drawn on all devices",
};

/** Settings of the context that change what MindSpore does and are not read here. */
export function unreadSettings(trace: Pick<Trace, "parallel">): readonly Diagnostic[] {
  const { unread = [], span } = parallelSetting(trace) ?? {};
  return unread.flatMap((name): Diagnostic[] =>
    span === undefined
      ? []
      : [
          {
            code: "mindspore/setting-not-read",
            severity: "warning",
            message: settings[name],
            span,
          },
        ],
  );
}
