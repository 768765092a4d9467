import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";

interface Props {
  readonly name: string;
  /** The label of the field. */
  readonly label: ReactNode;
  /** The id of the message that says why a name is refused. */
  readonly faultId: string;
  /** Applies the new name; returns why it is refused, or nothing. */
  readonly rename: (name: string) => Promise<string | undefined>;
  /** Called with the new name, or without one if nothing was renamed. */
  readonly onDone: (name?: string) => void;
  readonly className?: string;
  readonly fieldClass?: string;
}

/** Asks for a new name, and says why one is refused; Escape closes it. */
export function RenameFields(props: Props) {
  const { label, faultId, rename, onDone, className, fieldClass } = props;
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(props.name);
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    const reason = await rename(wanted);
    if (reason === undefined) onDone(wanted);
    else setFault(reason);
  };
  return (
    <form
      className={className}
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onDone();
      }}
    >
      <label>
        {label}
        <input
          ref={field}
          className={fieldClass}
          value={name}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          aria-invalid={fault !== undefined}
          aria-describedby={fault === undefined ? undefined : faultId}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <button type="submit" className="btn line">
        Rename
      </button>
      <button type="button" className="btn" onClick={() => onDone()}>
        Cancel
      </button>
      {fault !== undefined && (
        <p id={faultId} role="alert">
          Not renamed: {fault}.
        </p>
      )}
    </form>
  );
}
