import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Icon } from "./Icon.tsx";

interface Props {
  readonly text: string;
  readonly className: string;
  /** Whether the button gets the focus when the popover around it opens. */
  readonly isFirst?: boolean;
  /** Accessible name of the copied text, if its surroundings do not give one. */
  readonly label?: string;
  /** Caption before a press; `Copy` by default. */
  readonly words?: string;
  /** Called when the browser denies access to the clipboard. */
  readonly onRefused: () => void;
}

/** Button that copies a text and says so until the text changes. */
export function CopyButton({
  text,
  className,
  isFirst = false,
  label,
  words = "Copy",
  onRefused,
}: Props) {
  const [copied, setCopied] = useState<string>();
  const isCopied = copied === text;
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(text), onRefused);
  return (
    <button
      type="button"
      className={className}
      data-first={isFirst || undefined}
      aria-label={label && `${isCopied ? "Copied" : "Copy"} ${label}`}
      onClick={() => void copy()}
    >
      <Icon icon={isCopied ? Check : Copy} size={15} />
      {isCopied ? "Copied" : words}
    </button>
  );
}
