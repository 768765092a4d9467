import { useMemo, useState } from "react";
import type { Lesson } from "#app/lessons";
import { encodeText } from "#app/share";
import { CopyButton } from "../atoms/CopyButton.tsx";
import { saveText } from "../export/save-picture.ts";

interface Props {
  readonly text: string;
  /** Absent where the text is no lesson. */
  readonly lesson: Lesson | undefined;
  readonly onOpen: (text: string) => void;
}

/** The most characters of a link's fragment (links.md §4). */
const mostCharacters = 64 * 1024;

/** The most bytes of a file that is read. */
const mostBytes = 1_000_000;

/** Saves the lesson as a link or a file, and opens a saved file. */
export function EditorSave({ text, lesson, onOpen }: Props) {
  const [said, say] = useState("");
  const link = useMemo(() => lesson && encodeText("lesson", JSON.stringify(lesson)), [lesson]);
  const open = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > mostBytes) say(`A lesson has at most 64 kB; ${file.name} is larger.`);
    else onOpen(await file.text());
  };
  return (
    <div className="lesson-row">
      <button
        type="button"
        className="btn line"
        onClick={() => saveText(text, `${lesson?.id ?? "lesson"}.json`)}
      >
        Save as a file
      </button>
      <label className="btn line">
        Open a file
        <input
          type="file"
          className="vh"
          accept=".json,application/json"
          onChange={({ currentTarget }) => void open(currentTarget.files?.[0])}
        />
      </label>
      {link !== undefined && link.length <= mostCharacters && (
        <CopyButton
          text={`${location.origin}${location.pathname}${link}`}
          className="btn line"
          words="Copy link"
          onRefused={() => say("The browser does not let the page copy: save it as a file.")}
        />
      )}
      <span role="status">
        {link !== undefined && link.length > mostCharacters
          ? "It is too long for a link: send the file."
          : said}
      </span>
    </div>
  );
}
