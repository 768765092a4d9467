// Module methods that change the data types of parameters and buffers.

import type { Span } from "#core/diagnostics";
import { isFloat } from "#core/ir/types";
import type { Argument, Context, HostFunction, InstanceValue, Value } from "#language/python";
import { modulesIn, ownTensors, type TreeReading } from "./module-tree.ts";
import type { typeSaid } from "./types/dtype-values.ts";

type Type = NonNullable<ReturnType<typeof typeSaid>>;

/** Services needed to change data types. */
export interface TypeParts extends TreeReading {
  /**
   * Data type that the arguments name; `undefined` when the system's modules do not change types.
   */
  readonly typeIn: (method: string, args: readonly Argument[]) => Type | undefined;
  /** A tensor cast to another data type; the same tensor when nothing has read it yet. */
  readonly retyped: (value: Value, type: Type, context: Context, span: Span) => Value;
}

/**
 * `to`, `half`, `bfloat16` and similar methods. They cast float tensors only, except `type`, which
 * casts all.
 */
export function typeMethods(parts: TypeParts): Readonly<Record<string, HostFunction["call"]>> {
  const names = ["to", "type", "float", "half", "bfloat16", "double"];
  return Object.fromEntries(
    names.map((name) => [
      name,
      ([self, ...args]: readonly Argument[], context: Context, span: Span) => {
        const type = parts.typeIn(name, args);
        if (type !== undefined && parts.isModule(self?.value))
          retype(parts, self.value, [name, type], context, span);
        return self?.value ?? { kind: "none" };
      },
    ]),
  );
}

function retype(
  parts: TypeParts,
  root: InstanceValue,
  [method, type]: readonly [string, Type],
  context: Context,
  span: Span,
): void {
  const made = new Map<Value, Value>();
  for (const { module } of modulesIn(parts, root)) {
    const parameters = ownTensors(parts, module, "parameter");
    for (const [name, value] of [...parameters, ...ownTensors(parts, module, "buffer")]) {
      const tensor = parts.tensorOf(value);
      const isMeant = method === "type" || isFloat(tensor?.dtype ?? "bool");
      if (!isMeant) continue;
      const other = made.get(value) ?? parts.retyped(value, type, context, span);
      made.set(value, other);
      if (other === value) continue;
      module.attributes.set(name, other);
      const cast = parts.tensorOf(other);
      if (cast !== undefined && parameters.some((each) => each[1] === value))
        cast.isCastParameter = true;
    }
  }
}
