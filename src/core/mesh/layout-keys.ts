import type { DimLayout, Layout, Part } from "./layout.ts";
import type { DeviceMesh } from "./mesh.ts";

/**
 * Texts for many layouts of few meshes: two layouts that get the same one are written alike on
 * equal meshes, links included. Unlike `layoutKey` it tells layouts apart that are equal only once
 * canonical, which makes it quick; keys of different makers mean nothing to each other.
 */
export function createLayoutKeys(): (layout: Layout) => string {
  const meshes = new Map<DeviceMesh, number>();
  const texts = new Map<string, number>();
  const lists = new Map<readonly Part[], string>();
  const meshKey = (mesh: DeviceMesh): number => {
    const known = meshes.get(mesh);
    if (known !== undefined) return known;
    const text = JSON.stringify([mesh.axes, mesh.devices]);
    const number = texts.get(text) ?? texts.size;
    texts.set(text, number);
    meshes.set(mesh, number);
    return number;
  };
  const listKey = (parts: readonly Part[]): string => {
    if (parts.length === 0) return "";
    const known = lists.get(parts) ?? parts.map(partKey).join("*");
    lists.set(parts, known);
    return known;
  };
  return ({ mesh, dims, partials }) => {
    let key = `${meshKey(mesh)}`;
    for (const dim of dims) key += `,${listKey(dim.parts)}${cutKey(dim)}`;
    for (const { part, reduce } of partials) key += `|${reduce} ${partKey(part)}`;
    return key;
  };
}

function partKey(part: Part): string {
  if (part.kind === "pieces") return `~${part.count}`;
  return `${part.axis}:${part.before}:${part.size}`;
}

function cutKey({ sizes, chunks }: DimLayout): string {
  if (sizes !== undefined) return `{${sizes.join()}}${chunks}`;
  return chunks === "flat" ? "" : chunks;
}
