import { CodeEditor } from "./CodeEditor.tsx";
import { openTouchEditor } from "./codemirror.ts";
import type { EditorProps } from "./editor.ts";

/** The editor of touch screens. */
export function TouchEditor(props: EditorProps) {
  return <CodeEditor open={openTouchEditor} className="cm-host" {...props} />;
}
