import type { Diagnostic } from "#core/diagnostics";
import type { BindingParts, SystemBindings } from "#language/document/bindings";
import { namespace } from "#language/document/bindings/values";

/** JAX and the libraries built on it, by the first part of a module's name. */
export const packages: readonly string[] = [
  ...["jax", "flax", "optax", "equinox", "haiku", "orbax", "chex"],
];

const imported = new RegExp(
  String.raw`^[ \t]*(?:import|from)[ \t]+(?:${packages.join("|")})\b[^\n]*`,
  "mu",
);

/** Warns at the first import that Python using JAX is not read, and what to paste instead. */
export function pythonUnread(source: string): readonly Diagnostic[] {
  const found = imported.exec(source);
  if (found === null) return [];
  const from = found.index + found[0].search(/\S/u);
  return [
    {
      code: "jax/python",
      severity: "warning",
      message:
        "JAX is not read as Python: paste what print(jax.make_jaxpr(f)(x)) prints, or jax.jit(f).lower(x).as_text(debug_info=True)",
      span: { from, to: found.index + found[0].length },
    },
  ];
}

/** Bindings of modules whose attributes are known by name only. */
export function unreadModules({ opaque }: BindingParts): SystemBindings {
  return {
    module: (name) =>
      namespace(name, (attribute) => opaque.assumed(`${name}.${attribute}`, { isUnsaid: true })),
  };
}
