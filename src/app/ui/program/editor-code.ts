/** Pending loads of editors' code; each entry also resolves when its load fails. */
const loading = new Set<Promise<unknown>>();

/** Loads the code of an editor and registers the load. */
export async function editorCode<Code>(load: () => Promise<Code>): Promise<Code> {
  const code = load();
  const end = code.catch(() => undefined);
  loading.add(end);
  void end.then(() => loading.delete(end));
  return await code;
}

/** Resolves when no editor's code is being loaded; it is by far the largest part of the page. */
export async function editorLoaded(): Promise<void> {
  await Promise.all(loading);
}
