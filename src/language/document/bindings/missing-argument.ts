import type { Span } from "#core/diagnostics";
import type { Context, HostObject, HostType, Value } from "#language/python";

/** Placeholder for a required argument that no call passes; any use of it is reported. */
export function missingArgument(name: string): HostObject {
  return { kind: "host", type, data: name };
}

/** Reports an operator operand that is a missing argument. */
export function requirePassed(value: Value, context: Context, span: Span): void {
  if (value.kind === "host" && value.type === type) used(value, context, span);
}

const type: HostType = {
  name: "missing argument",
  call: (self, _args, context, span) => used(self, context, span),
  attribute: (self, _name, context, span) => used(self, context, span),
  binary: (self, _operator, _other, _reflected, context, span) => used(self, context, span),
  unary: (self, _operator, context, span) => used(self, context, span),
  item: (self, _key, context, span) => used(self, context, span),
  truth: (self, context, span) => {
    used(self, context, span);
    return false;
  },
  text: (self) => String(self.data),
};

function used({ data }: HostObject, context: Context, span: Span): Value {
  return context.raise("TypeError", `its argument "${String(data)}" is not passed`, span);
}
