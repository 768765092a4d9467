import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Icon } from "./Icon.tsx";

interface Props {
  readonly text: string;
  readonly className: string;
  /** The focus goes to it when what it stands in opens. */
  readonly isFirst?: boolean;
  /** The copied thing, if its neighbours do not name it. */
  readonly label?: string;
  /** Its words before it is pressed; `Copy` when unsaid. */
  readonly words?: string;
  /** The browser does not let the page write to the clipboard. */
  readonly onRefused: () => void;
}

/** Puts a text on the clipboard and says that it is there, until the text changes. */
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
