import { CodeEditor } from "./CodeEditor.tsx";
import type { EditorProps } from "./editor.ts";
import { openEditor } from "./monaco.ts";

/** Editor for mouse and keyboard (Monaco). */
export function MonacoEditor(props: EditorProps) {
  return <CodeEditor open={openEditor} className="monaco-host" {...props} />;
}
