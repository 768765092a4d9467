import type { Span } from "#core/diagnostics";
import type { Argument, Context, HostObject, HostType, Value } from "#language/python";
import { freshSize, type Size } from "../size.ts";

/** Something that the text names but does not have: an unknown import, an undefined name. */
export interface Assumed {
  readonly name: string;
  /** What a call of it gives. */
  readonly call: (self: Assumed, args: readonly Argument[], context: Context, span: Span) => Value;
  /** What it stands for where a size is wanted. */
  readonly size: Size;
}

const type: HostType = {
  name: "object",
  call: (self, args, context, span) => dataOf(self).call(dataOf(self), args, context, span),
  attribute: (self, name) => {
    const { name: owner, call } = dataOf(self);
    return name.startsWith("__") ? undefined : assumedValue(`${owner}.${name}`, call);
  },
  item: (self) => assumedValue(dataOf(self).name, dataOf(self).call),
  iterate: () => [],
  length: () => 0,
  binary: (self) => assumedValue(dataOf(self).name, dataOf(self).call),
  unary: (self) => assumedValue(dataOf(self).name, dataOf(self).call),
  text: (self) => dataOf(self).name,
  plain: (self) => dataOf(self).name,
};

/** The Python value of something assumed: whatever a program does with it, it stays assumed. */
export function assumedValue(name: string, call: Assumed["call"]): HostObject {
  const data: Assumed = { name, call, size: freshSize() };
  return { kind: "host", type, data };
}

/** What is assumed behind a Python value, if anything is. */
export function assumedOf(value: Value | undefined): Assumed | undefined {
  return value?.kind === "host" && value.type === type ? dataOf(value) : undefined;
}

/** Only values of this type reach its methods. */
function dataOf(self: HostObject): Assumed {
  return self.data as Assumed;
}
