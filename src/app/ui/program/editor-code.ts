/** Editors whose code is loading; a failed load counts as ended. */
const loading = new Set<Promise<unknown>>();

/** Loads the code of an editor, and notes it while it loads. */
export async function editorCode<Code>(load: () => Promise<Code>): Promise<Code> {
  const code = load();
  const end = code.catch(() => undefined);
  loading.add(end);
  void end.then(() => loading.delete(end));
  return await code;
}

/** Resolves when no editor is loading: editors are by far the largest code of the page. */
export async function editorLoaded(): Promise<void> {
  await Promise.all(loading);
}
