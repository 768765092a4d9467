import { type LanguageRequest, movedReply } from "#app/language-service";
import type { EditorEvents, EditorHandle, OpenEditor } from "./editor.ts";
import { edited, type LineEnds, lineEndsOf, spanToShown, toShown, toSource } from "./line-ends.ts";

/** Wraps an editor that knows one kind of line end, so that a text keeps its own. */
export function keepLineEnds(open: OpenEditor): OpenEditor {
  return (host, source, events) => {
    const now = { ends: lineEndsOf(source), pasted: undefined as string | undefined };
    const onPaste = ({ clipboardData }: ClipboardEvent) => {
      now.pasted = clipboardData?.getData("text/plain");
      setTimeout(() => {
        now.pasted = undefined;
      });
    };
    host.addEventListener("paste", onPaste, true);
    const handle = open(host, now.ends.shown, eventsWith(events, now));
    const span = (at: { readonly from: number; readonly to: number }) => spanToShown(now.ends, at);
    return {
      ...handle,
      write: (next) => {
        if (next !== now.ends.source) now.ends = lineEndsOf(next);
        handle.write(now.ends.shown);
      },
      colour: (runs, of) => {
        const ends = of === now.ends.source ? now.ends : lineEndsOf(of);
        handle.colour(moved(ends, runs), ends.shown);
      },
      hint: (hints) =>
        handle.hint(hints.map((hint) => ({ ...hint, at: toShown(now.ends, hint.at) }))),
      mark: (all) =>
        handle.mark(all.map((each) => (each.span ? { ...each, span: span(each.span) } : each))),
      flash: (all, note) => handle.flash(all.map(span), note),
      point: ({ selected, pointed, word }) =>
        handle.point({
          selected: selected.map(span),
          pointed: pointed.map(span),
          word: word && span(word),
        }),
      reveal: (at) => handle.reveal(span(at)),
      show: (at) => handle.show(span(at)),
      dispose: () => {
        host.removeEventListener("paste", onPaste, true);
        handle.dispose();
      },
    };
  };
}

type Runs = Parameters<EditorHandle["colour"]>[0];

/** The runs with the editor's offsets; the same array if no line end is converted. */
function moved(ends: LineEnds, runs: Runs): Runs {
  if (ends.left.length === 0) return runs;
  return runs.map((run) => ({ ...run, ...spanToShown(ends, run) }));
}

/** The editor's events, with places converted to those of the source. */
function eventsWith(
  events: EditorEvents,
  now: { ends: LineEnds; pasted: string | undefined },
): EditorEvents {
  return {
    ...events,
    onType: (shown) => {
      now.ends = lineEndsOf(edited(now.ends, shown, now.pasted));
      events.onType(now.ends.source);
    },
    onRename: (offset) => events.onRename(toSource(now.ends, offset)),
    onReveal: (at) => events.onReveal(at),
    onPoint: (by, at) => events.onPoint(by, at === undefined ? at : toSource(now.ends, at)),
    ask: async (request) => {
      const { ends } = now;
      const reply = await events.ask(asked(ends, request));
      // Actions are edits of the source itself.
      if (reply === undefined || reply.kind === "actions") return reply;
      return ends.left.length === 0 ? reply : movedReply(reply, (at) => toShown(ends, at));
    },
  };
}

function asked(ends: LineEnds, request: LanguageRequest): LanguageRequest {
  return "offset" in request ? { ...request, offset: toSource(ends, request.offset) } : request;
}
