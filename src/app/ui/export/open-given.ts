import type { Actions } from "#app/state";

/**
 * Opens a file. A lesson opens as a lesson; a file in another project's format becomes a program; a
 * trainer's settings change the present program; anything else is a picture with a plan, or a text.
 */
export async function openGiven(actions: Actions, file: File): Promise<void> {
  const given = { name: file.name, content: file };
  if (/\.json$/iu.test(file.name) && actions.openLessonText(await file.text())) return;
  if (await actions.openPublished(given)) return;
  if (await actions.applySettings(given)) return;
  actions.openFile(new Uint8Array(await file.arrayBuffer()), file.name);
}
