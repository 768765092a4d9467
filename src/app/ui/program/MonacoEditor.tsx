import { CodeEditor } from "./CodeEditor.tsx";
import { openEditor } from "./monaco.ts";

/** The editor of large screens. */
export function MonacoEditor({ onRename }: { readonly onRename: (offset: number) => void }) {
  return <CodeEditor open={openEditor} className="monaco-host" onRename={onRename} />;
}
