import type { Diagnostic } from "#core/diagnostics";
import type { BindingParts, SystemBindings } from "#language/document/bindings";
import { namespace } from "#language/document/bindings/values";

/** JAX and the libraries on it, by the first part of a module's name. */
export const packages: readonly string[] = [
  ...["jax", "flax", "optax", "equinox", "haiku", "orbax", "chex"],
];

const imported = new RegExp(
  String.raw`^[ \t]*(?:import|from)[ \t]+(?:${packages.join("|")})\b[^\n]*`,
  "mu",
);

/** Reports at the first import that JAX's Python is not read, and what is read in its place. */
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

/** Modules of which only the names are known. */
export function unreadModules({ opaque }: BindingParts): SystemBindings {
  return {
    module: (name) =>
      namespace(name, (attribute) => opaque.assumed(`${name}.${attribute}`, { isUnsaid: true })),
  };
}
