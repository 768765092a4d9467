import type { LucideIcon } from "lucide-react";
import { Icon } from "../atoms/Icon.tsx";

interface Props {
  readonly icon: LucideIcon;
  /** Caption, beginning with `Save`. */
  readonly name: string;
  /** Contents of the file, in a few words. */
  readonly what: string;
  readonly onSave: () => void;
}

/** Button that saves one file, with a description. */
export function SaveRow({ icon, name, what, onSave }: Props) {
  return (
    <button type="button" className="save-row" onClick={onSave}>
      <Icon icon={icon} size={15} />
      <b>{name}</b> <span>{what}</span>
    </button>
  );
}
