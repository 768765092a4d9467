import type { Actions } from "#app/state";

/**
 * Opens a file as a lesson, as a published program, as trainer settings that change the present
 * program, or else as a picture with a plan or as a text.
 */
export async function openGiven(actions: Actions, file: File): Promise<void> {
  const given = { name: file.name, content: file };
  if (/\.json$/iu.test(file.name) && actions.openLessonText(await file.text())) return;
  if (await actions.openPublished(given)) return;
  if (await actions.applySettings(given)) return;
  actions.openFile(new Uint8Array(await file.arrayBuffer()), file.name);
}
