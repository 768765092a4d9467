import { useActions } from "../store-context.tsx";

interface Props {
  readonly name: string;
  /** Number of operators written so far. */
  readonly operators: number;
}

/** Progress of reading a published file, with a button that cancels it. */
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
