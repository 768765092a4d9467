import { useId, useState } from "react";
import type { LessonDesk } from "#app/state";
import { saveText } from "../export/save-picture.ts";
import { useApp } from "../store-context.tsx";

/** Saves and loads the progress, for another browser; and tools for teachers. */
export function ProgressTools({ desk }: { readonly desk: LessonDesk }) {
  const openGallery = useApp((state) => state.openGallery);
  const openSheet = useApp((state) => state.openSheet);
  const openResults = useApp((state) => state.openResults);
  const [isOpen, open] = useState(false);
  const go = (then: () => void) => {
    openGallery(false);
    then();
  };
  return (
    <div className="lesson-tools">
      <div className="lesson-row">
        <button
          type="button"
          className="btn line"
          onClick={() => saveText(desk.exportProgress(), "shardboard-progress.json")}
        >
          Save what was done
        </button>
        <button
          type="button"
          className="btn line"
          aria-expanded={isOpen}
          onClick={() => open(!isOpen)}
        >
          Take over from another browser
        </button>
        <button type="button" className="btn line" onClick={() => go(() => openSheet("editor"))}>
          Write a lesson
        </button>
        <button type="button" className="btn line" onClick={() => go(() => openResults(""))}>
          Look at results
        </button>
      </div>
      {isOpen && <Import desk={desk} />}
    </div>
  );
}

function Import({ desk }: { readonly desk: LessonDesk }) {
  const [text, setText] = useState("");
  const [said, say] = useState("");
  const id = useId();
  return (
    <form
      className="lesson-import"
      onSubmit={(event) => {
        event.preventDefault();
        say(desk.importProgress(text) ?? "Added to what was done here.");
      }}
    >
      <label htmlFor={id}>The text of the file that the other browser saved</label>
      <textarea
        id={id}
        className="field mono"
        rows={3}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div className="lesson-row">
        <button type="submit" className="btn line">
          Add it
        </button>
        <span role="status">{said}</span>
      </div>
    </form>
  );
}
