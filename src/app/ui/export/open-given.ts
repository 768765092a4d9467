import type { Actions } from "#app/state";

/** Opens a file: as others publish it, as a program; any other is a picture with a plan, or a text. */
export async function openGiven(actions: Actions, file: File): Promise<void> {
  if (await actions.openPublished({ name: file.name, content: file })) return;
  actions.openFile(new Uint8Array(await file.arrayBuffer()), file.name);
}
