import { type Body, fresh, type NamedValue, typeText } from "./body.ts";
import type { JaxprEquation, JaxprVariable } from "./parse.ts";

/** `sharding=NamedSharding(mesh=Mesh('data': 2, 'model': 4, …), spec=P('data', None), …)`. */
export function constrained(
  body: Body,
  x: NamedValue,
  result: JaxprVariable,
  parameters: JaxprEquation["parameters"],
): readonly NamedValue[] | undefined {
  const text = parameters.get("sharding") ?? "";
  const axes = [...(/Mesh\(([^()]*)/u.exec(text)?.[1] ?? "").matchAll(/'([^']*)': (\d+)/gu)];
  const spec = /spec=P(?:artitionSpec)?\(((?:[^()]|\([^()]*\))*)\)/u.exec(text)?.[1];
  if (axes.length === 0 || spec === undefined) return undefined;
  const mesh = axes.map(([, name, size]) => `"${name}"=${size}`).join(", ");
  const known = body.written.meshes.get(mesh) ?? `mesh_${body.written.meshes.size}`;
  body.written.meshes.set(mesh, known);
  const entries = spec
    .split(/,(?![^(]*\))/u)
    .map((each) => [...each.matchAll(/'([^']*)'/gu)].map(([, name]) => `"${name}"`));
  const dims = result.shape.map((_, dim) => `{${(entries[dim] ?? []).join(", ")}}`);
  const name = fresh(body);
  body.lines.push(
    `${name} = sdy.sharding_constraint ${x.name} <@${known}, [${dims.join(", ")}]> : ${typeText(result)}`,
  );
  return [{ name, type: result }];
}
