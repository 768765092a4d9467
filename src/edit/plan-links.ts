import { assumedPlatform, type MachineFigures } from "#core/cost/machines";
import { applyEdits, hasErrors } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import type { Document } from "#language/document";
import { listsDevices, meshEdits, writtenMeshOf } from "#language/document/edit";

/** The document with every link `times` as fast; `undefined` if its text cannot set links. */
export function withLinkSpeed(document: Document, times: number): Document | undefined {
  const written = writtenMeshOf(document);
  const { mesh, platform = assumedPlatform } = document.mesh;
  if (written === undefined) return undefined;
  const present: MachineFigures = written.figures ?? { chip: {}, links: {} };
  const { chip, links } = present;
  const faster = platform.link(mesh).axes.map(({ name, link }) => {
    const { bandwidth } = link ?? platform.hardware.link;
    return [name, { ...fieldOf(links, name), bandwidth: times * bandwidth }] as const;
  });
  const figures: MachineFigures = { chip, links: Object.fromEntries(faster) };
  const keepsDevices = listsDevices(document);
  const edits = meshEdits(document, { axes: mesh.axes, figures, keepsDevices });
  const after = document.reread(applyEdits(document.source, edits));
  const isMeant = after.mesh.mesh.axes.every(
    ({ name, link }) => link?.bandwidth === fieldOf(figures.links, name)?.bandwidth,
  );
  return isMeant && !hasErrors(after.diagnostics) ? after : undefined;
}
