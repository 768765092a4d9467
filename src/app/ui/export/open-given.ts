import type { Actions } from "#app/state";

/**
 * Opens a file: a lesson as one; as others publish it, as a program; settings of a trainer change the program that is
 * there; any other is a picture with a plan, or a text.
 */
export async function openGiven(actions: Actions, file: File): Promise<void> {
  const given = { name: file.name, content: file };
  if (/\.json$/iu.test(file.name) && actions.openLessonText(await file.text())) return;
  if (await actions.openPublished(given)) return;
  if (await actions.applySettings(given)) return;
  actions.openFile(new Uint8Array(await file.arrayBuffer()), file.name);
}
