import { useActions } from "../store-context.tsx";

interface Props {
  readonly name: string;
  /** Those that are written. */
  readonly operators: number;
}

/** That a published file is being read, how far, and how to give it up. */
export function ReadingNote({ name, operators }: Props) {
  const { stopReading } = useActions();
  return (
    <div className="text-note" role="status" data-testid="reading-note">
      <span>
        Reading “{name}”{operators > 0 && `, ${operators.toLocaleString("en")} operators so far`}
      </span>
      <button type="button" className="btn line" onClick={stopReading}>
        Cancel
      </button>
    </div>
  );
}
