import type { LucideIcon } from "lucide-react";
import { useId } from "react";

interface Props {
  readonly icon: LucideIcon;
  /** `Save …`, as all of them begin. */
  readonly name: string;
  /** What the file is, in a few words. */
  readonly what: string;
  readonly onSave: () => void;
}

/** One file that can be saved, and what it is. */
export function SaveRow({ icon: Icon, name, what, onSave }: Props) {
  const words = useId();
  return (
    <button
      type="button"
      className="save-row"
      aria-label={name}
      aria-describedby={words}
      onClick={onSave}
    >
      <Icon className="ico" size={15} strokeWidth={1.75} aria-hidden="true" />
      <b>{name}</b>
      <span id={words}>{what}</span>
    </button>
  );
}
