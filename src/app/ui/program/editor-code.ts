/** Editors whose code is being loaded; a failed load ends as well. */
const loading = new Set<Promise<unknown>>();

/** The code of an editor, which is noted while it loads. */
export async function editorCode<Code>(load: () => Promise<Code>): Promise<Code> {
  const code = load();
  const end = code.catch(() => undefined);
  loading.add(end);
  void end.then(() => loading.delete(end));
  return await code;
}

/** Resolves when no editor is being loaded: it is by far the largest part of the page. */
export async function editorLoaded(): Promise<void> {
  await Promise.all(loading);
}
