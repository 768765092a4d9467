import { Copy, Download, Pencil, Trash2 } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import {
  duplicateText,
  idOf,
  type KeptText,
  type ListedText,
  rawText,
  removeText,
  renameText,
  saveUnsaved,
  timeOf,
} from "#app/texts";
import { IconButton } from "../atoms/IconButton.tsx";
import { saveText } from "../export/save-picture.ts";
import { useActions, useApp } from "../store-context.tsx";
import { fileNameOf, lineOf, timeWords } from "./plan-line.ts";
import { refusalWords } from "./refusal-words.ts";

interface Props {
  readonly listed: ListedText;
  /** Says why something could not be done. */
  readonly onFault: (fault: string | undefined) => void;
}

/** One plan: its name opens it; buttons rename, duplicate and delete it. */
export function PlanRow({ listed, onFault }: Props) {
  return listed.kind === "text" ? (
    <TextRow text={listed.text} isSaved={listed.isSaved} onFault={onFault} />
  ) : (
    <UnreadableRow listed={listed} />
  );
}

interface TextRowProps extends Pick<Props, "onFault"> {
  readonly text: KeptText;
  readonly isSaved: boolean;
}

function TextRow({ text, isSaved, onFault }: TextRowProps) {
  const { shelf, openPlan, listChanged } = useActions();
  const openSheet = useApp((state) => state.openSheet);
  const isShown = useApp((state) => state.shownText.id === text.id);
  const remove = useRemove();
  const [isRenaming, setRenaming] = useState(false);
  const doAndTell = (isDone: boolean) => {
    onFault(isDone ? undefined : refusalWords(shelf.storage));
    listChanged();
  };
  return (
    <li data-testid="plan-row" aria-current={isShown ? "true" : undefined}>
      {isRenaming ? (
        <NameField
          name={text.name}
          onDone={(name) => {
            setRenaming(false);
            if (name !== undefined) doAndTell(renameText(shelf, text.id, name));
          }}
        />
      ) : (
        <button
          type="button"
          className="plan-open"
          data-does="open"
          onClick={() => {
            openSheet(undefined);
            openPlan(text.id);
          }}
        >
          <b>{text.name}</b>
          <small>{lineOf(text)}</small>
        </button>
      )}
      <span className="plan-time mut">
        {isShown && <span className="tag">shown</span>}
        {!isSaved && <span className="tag">not saved</span>}
        {!isShown && shelf.elsewhere().has(text.id) && <span className="tag">in another tab</span>}
        <time dateTime={new Date(timeOf(text)).toISOString()}>
          {timeWords(timeOf(text), shelf.now())}
        </time>
      </span>
      <span className="plan-tools">
        <IconButton
          icon={Pencil}
          name={`Rename ${text.name}`}
          data-does="rename"
          onClick={() => setRenaming(true)}
        />
        <IconButton
          icon={Copy}
          name={`Duplicate ${text.name}`}
          onClick={() => doAndTell(duplicateText(shelf, text) !== undefined)}
        />
        <IconButton
          icon={Trash2}
          name={`Delete ${text.name}`}
          data-does="delete"
          onClick={() => remove(text.id, text.name)}
        />
      </span>
    </li>
  );
}

/** Deletes a text and remembers it, so that it can be put back. */
function useRemove() {
  const { shelf, listChanged, keepPlan } = useActions();
  const shown = useApp((state) => state.shownText);
  const rememberRemoved = useApp((state) => state.rememberRemoved);
  return (id: KeptText["id"], name: string) => {
    const wasShown = id === shown.id;
    rememberRemoved({ text: removeText(shelf, id), name, wasShown });
    // With this text deleted there may be room for what only this page holds.
    if (!wasShown && (shown.kept === "tab" || shown.kept === "page")) keepPlan();
    saveUnsaved(shelf);
    listChanged();
  };
}

interface NameFieldProps {
  readonly name: string;
  /** Called with the new name, or with nothing if the old one stays. */
  readonly onDone: (name: string | undefined) => void;
}

function NameField({ name, onDone }: NameFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [value, setValue] = useState(name);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const given = value.trim();
  const done = () => onDone(given === "" || given === name ? undefined : given);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    done();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    // This Escape ends the renaming; the sheet stays open.
    event.preventDefault();
    event.stopPropagation();
    onDone(undefined);
  };
  return (
    <form className="plan-name" onSubmit={onSubmit}>
      <input
        ref={field}
        className="field"
        aria-label={`Name of ${name}`}
        value={value}
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={done}
      />
    </form>
  );
}

/** An entry that is damaged, or of a newer version: it can be saved as a file and deleted. */
function UnreadableRow({ listed }: { readonly listed: ListedText & { kind: "unreadable" } }) {
  const remove = useRemove();
  const name = `Entry ${idOf(listed)}`;
  const text = rawText(listed.entry);
  return (
    <li data-testid="plan-row">
      <span className="plan-open">
        <b>{name}</b>
        <small>It cannot be read: it is damaged, or of a newer version.</small>
      </span>
      <span className="plan-tools">
        <IconButton
          icon={Download}
          name={`Save ${name} as a file`}
          onClick={() => saveText(text, fileNameOf(name, text))}
        />
        <IconButton
          icon={Trash2}
          name={`Delete ${name}`}
          data-does="delete"
          onClick={() => remove(idOf(listed), name)}
        />
      </span>
    </li>
  );
}
