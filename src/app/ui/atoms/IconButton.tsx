import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes } from "react";
import { Icon } from "./Icon.tsx";

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "name" | "children"> {
  readonly icon: LucideIcon;
  /** Action of the button, as accessible name and tooltip. */
  readonly name: string;
  readonly size?: number;
  readonly testId?: string;
}

/** Square button with an icon in place of a word. */
export function IconButton({ icon: Shape, name, size = 16, testId, ...rest }: Props) {
  return (
    <button
      type="button"
      className="btn sq"
      aria-label={name}
      title={name}
      data-testid={testId}
      {...rest}
    >
      <Icon icon={Shape} size={size} />
    </button>
  );
}
