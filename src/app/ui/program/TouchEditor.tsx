import { CodeEditor } from "./CodeEditor.tsx";
import { openTouchEditor } from "./codemirror.ts";

/** The editor of screens that fingers type on. */
export function TouchEditor({ onRename }: { readonly onRename: (offset: number) => void }) {
  return <CodeEditor open={openTouchEditor} className="cm-host" onRename={onRename} />;
}
