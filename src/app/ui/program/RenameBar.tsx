import { type FormEvent, useEffect, useRef, useState } from "react";
import { useActions } from "../store-context.tsx";

/** What is to be renamed, and where it stands. */
export interface Renaming {
  readonly offset: number;
  readonly kind: "axis" | "variable";
  readonly name: string;
}

/** A line above the text that asks for the new name, and says why one cannot be had. */
export function RenameBar({
  renaming,
  onClose,
}: {
  readonly renaming: Renaming;
  readonly onClose: () => void;
}) {
  const { rename } = useActions();
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(renaming.name);
  const [fault, setFault] = useState<string>();
  const what = renaming.kind === "axis" ? "mesh axis" : "variable";
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const reason = await rename(renaming.offset, name.trim());
    if (reason === undefined) onClose();
    else setFault(reason);
  };
  return (
    <div
      className="rename-bar"
      role="dialog"
      aria-label={`Rename ${what} ${renaming.name}`}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <form onSubmit={(event) => void submit(event)}>
        <label>
          <span>
            Rename {what} {renaming.name} to
          </span>
          <input
            ref={field}
            value={name}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            aria-invalid={fault !== undefined}
            aria-describedby={fault === undefined ? undefined : "rename-fault"}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <button type="submit" className="btn line">
          Rename
        </button>
        <button type="button" className="btn" onClick={onClose}>
          Cancel
        </button>
      </form>
      {fault !== undefined && (
        <p id="rename-fault" role="alert">
          Not renamed: {fault}.
        </p>
      )}
    </div>
  );
}
