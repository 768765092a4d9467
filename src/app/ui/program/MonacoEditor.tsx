import { CodeEditor } from "./CodeEditor.tsx";
import type { EditorProps } from "./editor.ts";
import { openEditor } from "./monaco.ts";

/** The editor of large screens. */
export function MonacoEditor(props: EditorProps) {
  return <CodeEditor open={openEditor} className="monaco-host" {...props} />;
}
