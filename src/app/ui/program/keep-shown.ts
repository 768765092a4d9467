import type { EditorHandle, OpenEditor } from "./editor.ts";

/**
 * Wraps an editor so that it draws its marks again when its text is again the one that they belong
 * to. An input method may rewrite a text letter by letter within one task: that removes the marks,
 * while for the application nothing has changed.
 */
export function keepShown(open: OpenEditor): OpenEditor {
  return (host, source, events) => {
    let text = source;
    const shown = new Map<string, { readonly over: string; readonly show: () => void }>();
    const handle = open(host, source, {
      ...events,
      onType: (next) => {
        const isOther = next !== text;
        text = next;
        if (isOther) events.onType(next);
        for (const { over, show } of shown.values()) if (over === next) show();
      },
    });
    const kept =
      <What extends readonly unknown[]>(name: string, show: (...what: What) => void) =>
      (...what: What) => {
        shown.set(name, { over: text, show: () => show(...what) });
        show(...what);
      };
    return {
      ...handle,
      write: (next) => {
        text = next;
        handle.write(next);
      },
      colour: kept<Parameters<EditorHandle["colour"]>>("colours", handle.colour),
      hint: kept<Parameters<EditorHandle["hint"]>>("hints", handle.hint),
      mark: kept<Parameters<EditorHandle["mark"]>>("marks", handle.mark),
    };
  };
}
