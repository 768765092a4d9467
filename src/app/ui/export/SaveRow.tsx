import type { LucideIcon } from "lucide-react";
import { Icon } from "../atoms/Icon.tsx";

interface Props {
  readonly icon: LucideIcon;
  /** The name of the button; it begins with `Save`. */
  readonly name: string;
  /** The content of the file, in a few words. */
  readonly what: string;
  readonly onSave: () => void;
}

/** One file that can be saved, and what it is. */
export function SaveRow({ icon, name, what, onSave }: Props) {
  return (
    <button type="button" className="save-row" onClick={onSave}>
      <Icon icon={icon} size={15} />
      <b>{name}</b> <span>{what}</span>
    </button>
  );
}
