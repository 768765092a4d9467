import { type FormEvent, useState } from "react";
import { parseRange, rangeText } from "#app/scene/index-space";

interface Props {
  /** The name of the range's dim: `image[0]`. */
  readonly of: string;
  readonly range: Range;
  /** Writes another range; gives back why not. */
  readonly onSet: (range: Range) => Promise<string | undefined>;
}

type Range = Parameters<typeof rangeText>[0];

/** A range of the text; a click turns it into a field. */
export function RangeField({ of, range, onSet }: Props) {
  const [draft, setDraft] = useState<string>();
  const [fault, setFault] = useState<string>();
  const text = rangeText(range);
  const show = (next: string | undefined) => {
    setDraft(next);
    setFault(undefined);
  };
  if (draft === undefined) {
    return (
      <button
        type="button"
        className="lk"
        title={`Write another range of ${of}`}
        onClick={() => show(text)}
      >
        {text}
      </button>
    );
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const read = parseRange(draft, range.length);
    const reason = typeof read === "string" ? read : await onSet(read);
    if (reason === undefined) show(undefined);
    else setFault(reason);
  };
  return (
    <form className="range-field" onSubmit={(event) => void submit(event)}>
      <input
        // biome-ignore lint/a11y/noAutofocus: the click that opened it was on this place
        autoFocus
        aria-label={`Range of ${of}`}
        aria-invalid={fault !== undefined}
        value={draft}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          show(undefined);
        }}
      />
      <button type="submit" className="btn line">
        Set
      </button>
      {fault !== undefined && <p role="alert">Not set: {fault}.</p>}
    </form>
  );
}
