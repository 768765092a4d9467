import type { Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import { integer } from "#language/document/words";
import { type Context, dictOf, type HostObject, type HostType, type Value } from "#language/python";

/** `resource` or `cfg`: how many devices there are, by the names of old and new nnScaler. */
export function configObject(devices: readonly number[]): HostObject {
  const count = integer(devices.length);
  const values: Readonly<Record<string, Value>> = {
    ngpus: count,
    plan_ngpus: count,
    runtime_ngpus: count,
    devices: { kind: "list", items: devices.map(integer) },
    gpus: { kind: "list", items: devices.map(integer) },
    pas_config: dictOf([]),
    user_config: dictOf([]),
    use_zero: { kind: "bool", value: false },
    inference_only: { kind: "bool", value: false },
  };
  const type: HostType = {
    name: "ComputeConfig",
    attribute: (_self, name, context, span) => {
      if (name === "ngpus") reportOldName(context, span);
      return Object.hasOwn(values, name) ? fieldOf(values, name) : undefined;
    },
    text: () => "ComputeConfig",
  };
  return { kind: "host", type, data: undefined };
}

/** The documents say `resource.ngpus`; since release v0.8 it is `cfg.plan_ngpus` (dimops.md §8). */
function reportOldName(context: Context, span: Span): void {
  const from = span.to - "ngpus".length;
  const isWritten = context.source.slice(from, span.to) === "ngpus";
  context.report({
    code: "nnscaler/old-name",
    severity: "warning",
    message: `"ngpus" is called "plan_ngpus" in today's nnScaler`,
    span,
    upstream: "AttributeError",
    ...(isWritten && {
      fixes: [{ title: "Write plan_ngpus", edits: [{ from, to: span.to, text: "plan_ngpus" }] }],
    }),
  });
}
