import { type RefObject, useEffect, useRef } from "react";
import { type AppState, linkedPlaces, shown, textPlacesOf } from "#app/state";
import type { Compiled } from "#compile";
import type { Span } from "#core/diagnostics";
import { useApp, useAppStore } from "../store-context.tsx";
import { type DocumentPart, spanInPart } from "./document-part.ts";
import type { EditorHandle, PointedPlaces, WroteNote } from "./editor.ts";

type Handle = RefObject<EditorHandle | undefined>;

/**
 * Synchronises an editor's marks with the selected and hovered parts, and scrolls to a newly picked
 * part.
 */
export function useLinks(editor: Handle, part: DocumentPart): void {
  const store = useAppStore();
  const compiled = useApp(shown);
  const source = useApp((state) => state.document.source);
  const chosen = useApp((state) => state.chosen);
  const linked = useApp((state) => state.linked);
  const isMarked = useRef(true);
  useEffect(() => {
    if (compiled?.source !== source) return;
    const places = pointedPlaces({ ...store.getState(), chosen, linked }, part);
    const isEmpty = isBare(places);
    // Most edits happen without marks; skipping the call then costs the editor nothing.
    if (!isEmpty || isMarked.current) editor.current?.point(places);
    isMarked.current = !isEmpty;
  }, [compiled, source, chosen, linked, editor, store, part]);
  useEffect(() => {
    const [first] = selectedPlaces({ ...store.getState(), chosen }, part);
    if (first !== undefined) editor.current?.show(first);
  }, [chosen, editor, store, part]);
}

function isBare({ selected, pointed, word }: PointedPlaces): boolean {
  return selected.length === 0 && pointed.length === 0 && word === undefined;
}

/** Spans to mark in a part of the document. */
export function pointedPlaces(state: AppState, part: DocumentPart): PointedPlaces {
  const { linked, document } = state;
  const pointed = placesFrom(state, part, (compiled) =>
    linked === undefined || linked.by === "text" ? [] : linkedPlaces(compiled, linked),
  );
  const word = linked?.word && spanInPart(document, part, linked.word);
  return { selected: selectedPlaces(state, part), pointed, word };
}

/** Spans where the latest selection is made, and the calls that led there. */
export function selectedPlaces(state: AppState, part: DocumentPart): readonly Span[] {
  const { chosen } = state;
  return placesFrom(state, part, (compiled) =>
    chosen === undefined ? [] : textPlacesOf(compiled, chosen),
  );
}

/**
 * Spans found in the compiled plan; none while the text is newer than the plan, since their places
 * are unknown.
 */
function placesFrom(
  state: AppState,
  part: DocumentPart,
  find: (compiled: Compiled) => readonly Span[],
): readonly Span[] {
  const { document } = state;
  const compiled = shown(state);
  if (compiled === undefined || compiled.source !== document.source) return [];
  return find(compiled).flatMap((span) => spanInPart(document, part, span) ?? []);
}

/** Author of the lines that the last edit wrote, and the label of its undo button. */
export function wroteNoteOf({ document, plannedLines }: AppState): WroteNote {
  const lines = (document.wrote ?? []).flatMap(({ from, to }) =>
    document.source.slice(from, to).split("\n"),
  );
  const isPlan = lines.every((line) => line.trim() === "" || plannedLines.has(line));
  const undo = document.change === undefined ? "Undo" : `Undo: ${document.change}`;
  return { text: isPlan ? "written by the plan" : "just written", undo };
}

/**
 * Combines the reported offsets of pointer and caret into one linked offset; the pointer's takes
 * precedence.
 */
export function pointing(link: (offset: number | undefined) => void) {
  const at: { pointer: number | undefined; caret: number | undefined } = {
    pointer: undefined,
    caret: undefined,
  };
  return (by: "pointer" | "caret", offset: number | undefined) => {
    if (at[by] === offset) return;
    at[by] = offset;
    link(at.pointer ?? at.caret);
  };
}
