import { CodeEditor } from "./CodeEditor.tsx";
import { openTouchEditor } from "./codemirror.ts";
import type { EditorProps } from "./editor.ts";

/** Editor for touch (CodeMirror). */
export function TouchEditor(props: EditorProps) {
  return <CodeEditor open={openTouchEditor} className="cm-host" {...props} />;
}
