import { X } from "lucide-react";
import type { TextNote } from "#app/state";
import type { TextStorage } from "#app/texts";
import { IconButton } from "../atoms/IconButton.tsx";
import { saveText } from "../export/save-picture.ts";
import { useActions, useApp, useAppStore } from "../store-context.tsx";
import { fileNameOf } from "./plan-line.ts";
import { unsavedWords } from "./refusal-words.ts";

/** Sentence on where the text on screen is stored, with possible actions. */
export function TextNoteLine({ note }: { readonly note: TextNote }) {
  const noteText = useApp((state) => state.noteText);
  const { shelf } = useActions();
  return (
    <div className="text-note" role="status" data-testid={`text-note-${note.kind}`}>
      <span>{sentenceOf(note, shelf.storage)}</span>
      <Choices note={note} />
      <IconButton icon={X} size={14} name="Dismiss" onClick={() => noteText(undefined)} />
    </div>
  );
}

function sentenceOf(note: TextNote, storage: TextStorage): string {
  switch (note.kind) {
    case "unsaved":
      return unsavedWords(storage, note.where);
    case "forked":
      return `This plan is open in another tab: what you type here is “${note.name}”.`;
    case "changed":
      return "This plan was changed in another tab. What you type here becomes a plan of its own.";
    case "removed":
      return "This plan was deleted in another tab. It is kept again when you edit it.";
    case "missing":
      return "The address names a plan that is not in this browser. Share makes a link for others.";
    case "no-example":
      return `There is no example named “${note.name}”. Shown instead: a plan of yours, or the first example.`;
    case "no-lesson":
      return `${note.why} Shown instead: a plan of yours, or the first example.`;
    case "edited-link":
      return "You have edited this link's plan; this is how you left it.";
  }
}

function Choices({ note }: { readonly note: TextNote }) {
  const store = useAppStore();
  const { openSent, showNewest, keepPlan } = useActions();
  const openSheet = useApp((state) => state.openSheet);
  const saveFile = () => {
    const { document, shownText } = store.getState();
    saveText(document.source, fileNameOf(shownText.name, document.source));
  };
  switch (note.kind) {
    case "unsaved":
      return (
        <>
          <Choice name="Save as a file" act={saveFile} />
          {note.where === "tab" && <Choice name="Plans" act={() => openSheet("plans")} />}
        </>
      );
    case "changed":
      return <Choice name="Show the newer one" act={showNewest} />;
    case "removed":
      return <Choice name="Keep it" act={keepPlan} />;
    case "edited-link":
      return <Choice name="Show it as sent" act={() => openSent(note.fragment)} />;
    case "forked":
      return <Choice name="Plans" act={() => openSheet("plans")} />;
    case "no-example":
    case "no-lesson":
      return <GalleryChoice />;
    case "missing":
      return null;
  }
}

function GalleryChoice() {
  const openGallery = useApp((state) => state.openGallery);
  return <Choice name="Examples and lessons" act={() => openGallery(true)} />;
}

function Choice({ name, act }: { readonly name: string; readonly act: () => void }) {
  return (
    <button type="button" className="btn line" onClick={act}>
      {name}
    </button>
  );
}
