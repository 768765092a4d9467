// Methods of modules that change the data types of what they hold.

import type { Span } from "#core/diagnostics";
import { isFloat } from "#core/ir/types";
import type { Argument, Context, HostFunction, InstanceValue, Value } from "#language/python";
import { modulesIn, ownTensors, type TreeReading } from "./module-tree.ts";
import type { typeSaid } from "./types/dtype-values.ts";

type Type = NonNullable<ReturnType<typeof typeSaid>>;

/** What a change of data types needs. */
export interface TypeParts extends TreeReading {
  /** The data type that arguments say: none where the system's modules have none to change. */
  readonly typeIn: (method: string, args: readonly Argument[]) => Type | undefined;
  /** A tensor in another data type: the same one where nothing has read it yet. */
  readonly retyped: (value: Value, type: Type, context: Context, span: Span) => Value;
}

/** `to`, `half`, `bfloat16` and their like: of floats only, but for `type`, which changes all. */
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
