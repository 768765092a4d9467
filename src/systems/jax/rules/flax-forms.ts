import type { Tensor } from "#core/ir";
import type { TextModules } from "#systems/arrays";

/** A parameter's path in a tree, and the order of its dims there. */
export interface ParameterForm {
  readonly path: string;
  readonly order?: readonly number[];
}

/**
 * Forms of a parameter: the text's own name and, for a PyTorch class that Flax has too, Flax's
 * name, whose kernels are `(in, out)`.
 */
export function parameterForms(
  { shape }: Tensor,
  path: string,
  modules: TextModules | undefined,
): readonly ParameterForm[] {
  const at = path.lastIndexOf(".");
  const [module, name] = [path.slice(0, Math.max(0, at)), path.slice(at + 1)];
  const [own = ""] = modules?.classesOf.get(module) ?? [];
  if (name !== "weight" || at < 0) return [{ path }];
  if (own === "nn.Linear" && shape.length === 2)
    return [{ path }, { path: `${module}.kernel`, order: [1, 0] }];
  if (own === "nn.Embedding") return [{ path }, { path: `${module}.embedding` }];
  if (own === "nn.LayerNorm" || own === "nn.RMSNorm")
    return [{ path }, { path: `${module}.scale` }];
  return [{ path }];
}
