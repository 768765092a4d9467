import type { LucideIcon } from "lucide-react";
import type { KeyboardEvent } from "react";
import { Icon } from "./Icon.tsx";

interface Props<T extends string> {
  readonly label: string;
  readonly className: string;
  readonly tabs: readonly (readonly [value: T, text: string, icon?: LucideIcon])[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** Element id of a tab, for code that moves the focus to it. */
export function tabId(label: string, value: string): string {
  return `tab-${label}-${value}`.toLowerCase();
}

/** Tabs of one panel: one tab stop; arrow keys open the next or previous tab. */
export function TabList<T extends string>({ label, className, tabs, value, onChange }: Props<T>) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex(([name]) => name === value);
    const next = (at + step + tabs.length) % tabs.length;
    const opened = tabs[next];
    if (opened !== undefined) onChange(opened[0]);
    event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div className={className} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(([name, text, Shape]) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={tabId(label, name)}
          className="tab"
          aria-selected={value === name}
          tabIndex={value === name ? 0 : -1}
          onClick={() => onChange(name)}
        >
          {Shape !== undefined && <Icon icon={Shape} size={18} />}
          {text}
        </button>
      ))}
    </div>
  );
}
