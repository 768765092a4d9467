import type { LucideIcon } from "lucide-react";
import { useId } from "react";
import { Sign } from "../atoms/Sign.tsx";

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
      <Sign icon={Icon} size={15} />
      <b>{name}</b>
      <span id={words}>{what}</span>
    </button>
  );
}
